import { HOOK_HOSTS } from "../hosts/hooks.ts";
import { readBounded } from "../hosts/payload.ts";
import { recordFailure, runHook } from "../hosts/run-hook.ts";
import { SOURCES } from "../sources/index.ts";

const [host = "", event = ""] = process.argv.slice(3);

// Whatever happens, a host sees exit code 0: no failure of ours may stop a session.
process.on("uncaughtException", (error) => {
  recordFailure(process.env, `hook ${host} ${event}`, error, Date.now());
  process.exit(0);
});
process.stdout.on("error", () => process.exit(0)); // the host has gone: there is nobody left to tell

runHook({
  host,
  event,
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  hosts: HOOK_HOSTS,
  sources: SOURCES,
  readPayload: (deadlineMs) => readBounded(process.stdin, deadlineMs),
}).then((text) => process.stdout.write(text, () => process.exit(0)));
