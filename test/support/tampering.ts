import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sabotage } from "../e2e/host-driver.ts";
import { CONTINUO } from "./child.ts";

/** What `continuo install` wrote for a host that starts processes of ours: the hooks first, then the rest. */
export interface Installed {
  readonly hooks: string;
  readonly others: readonly string[];
  /** For what we put into the place of our script and its runtime. */
  readonly folder: string;
}

export interface Tampering {
  sabotage(how: Sabotage): void;
  trace(folder: string): void;
}

/** Breaks, or watches, what the settings of a host say to run. The commands and their timeouts stay as they were wired. */
export function tampering({ hooks, others, folder }: Installed): Tampering {
  let wired: string | undefined;
  const original = () => {
    wired ??= readFileSync(hooks, "utf8");
    return wired;
  };
  const everywhere = (path: string, instead: string) => {
    for (const file of [hooks, ...others])
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(path, instead));
  };
  // Only the hooks: in one host the MCP entry is in the same file.
  const inHooks = (path: string, instead: string) =>
    writeFileSync(
      hooks,
      original().replaceAll(/"(?:[^"\\]|\\.)* hook (?:[^"\\]|\\.)*"/g, (command) =>
        command.replace(path, instead),
      ),
    );
  return {
    sabotage(how) {
      if (how === "killed") everywhere(CONTINUO, dyingScript(join(folder, "dying")));
      else if (how === "no runtime") inHooks(process.execPath, "/gone/bin/node");
      else inHooks(CONTINUO, brokenScript(join(folder, how), how));
    },
    trace: (traces) => everywhere(process.execPath, tracer(join(folder, "traced-node"), traces)),
  };
}

/** What a host with hooks has to bear. */
export const HOOK_SABOTAGES = ["throws", "refuses", "garbage", "hangs", "gone", "no runtime"] as const;

const BROKEN: Readonly<Record<Exclude<Sabotage, "killed" | "gone" | "no runtime">, string>> = {
  throws: 'throw new Error("MARK-BROKEN");',
  // The code with which a hook refuses a prompt in several hosts.
  refuses: 'console.error("MARK-BROKEN"); process.exit(2);',
  garbage: 'console.error("MARK-BROKEN"); console.log("MARK-BROKEN {");',
  // Without using the processor, and deaf to everything but signals.
  hangs: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
};

function brokenScript(folder: string, how: Exclude<Sabotage, "killed" | "no runtime">): string {
  const script = join(folder, "continuo.cjs");
  if (how === "gone") return script;
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, BROKEN[how]);
  return script;
}

/** Our own script, killed as the kernel kills, where it hurts most: under the lock, its new state not yet in place. */
function dyingScript(folder: string): string {
  const script = join(folder, "continuo.cjs"); // by this name `continuo install` knows it for ours, and updates it
  mkdirSync(folder, { recursive: true });
  const code = `const fs = require("node:fs");
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (/state.*\\.json$/.test(String(to))) process.kill(process.pid, "SIGKILL");
  return renameSync(from, to);
};
require(${JSON.stringify(CONTINUO)});
`;
  writeFileSync(script, code);
  return script;
}

/** As a grandchild, so that whoever starts the program signals the program and not the tracer. */
const STRACE = ["strace", "-D", "-f", "-qq", "-e", "trace=network", "-o"] as const;

/** Elsewhere than on Linux, or where tracing is not allowed, there is nothing to look through. */
export const noStrace: string | undefined =
  spawnSync(STRACE[0], ["-f", "-o", "/dev/null", "true"]).status === 0
    ? undefined
    : "strace is not here, or may not trace";

/** A runtime that notes the network calls of what it runs. */
function tracer(file: string, traces: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec ${STRACE.join(" ")} ${traces}/$$ ${process.execPath} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The same for a program that has us inside. */
export function traced(command: readonly string[], traces: string | undefined): string[] {
  return traces === undefined ? [...command] : [...STRACE, join(traces, `host-${Date.now()}`), ...command];
}
