import { writeSync } from "node:fs";
import { recordFailure } from "../hosts/follow.ts";
import { HOOK_HOSTS } from "../hosts/hooks.ts";
import { readBounded } from "../hosts/payload.ts";
import { runHook } from "../hosts/run-hook.ts";
import { systemCode } from "../moments/errors.ts";
import { SOURCES } from "../sources/index.ts";

/** One hook process, from its arguments to its exit. */
export function hookMain([host = "", event = "", entry = "1"]: readonly string[]): void {
  // Whatever happens, a host sees exit code 0: no failure of ours may stop a session.
  process.on("uncaughtException", (error) => {
    recordFailure(process.env, `hook ${host} ${event}`, error, Date.now());
    process.exit(0);
  });
  runHook({
    host,
    event,
    entry: Number(entry) || 1,
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    // Not `performance`, which loads 2 ms of code.
    spentMs: () => process.uptime() * 1000,
    hosts: HOOK_HOSTS,
    sources: SOURCES,
    readPayload: (deadlineMs) => readBounded(0, deadlineMs),
  }).then((text) => {
    print(text);
    process.exit(0);
  });
}

/** Not `process.stdout`: for a pipe that loads the network modules, several milliseconds of every hook. */
function print(text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") return; // the host has gone: there is nobody left to tell
    }
  }
}
