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

/** Breaks, or watches, what the settings of a host say to run. */
export function tampering({ hooks, others, folder }: Installed): Tampering {
  const original = readFileSync(hooks, "utf8");
  const everywhere = (path: string, instead: string) => {
    for (const file of [hooks, ...others])
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(path, instead));
  };
  return {
    sabotage(how) {
      if (how === "killed") everywhere(CONTINUO, dyingScript(join(folder, "dying")));
      else writeFileSync(hooks, broken(original, how));
    },
    trace: (traces) => everywhere(process.execPath, tracer(join(folder, "traced-node"), traces)),
  };
}

function broken(original: string, how: Exclude<Sabotage, "killed">): string {
  const command = /"(command|bash)": "(?:[^"\\]|\\.)*"/g;
  if (how === "throws") return original.replaceAll(command, '"$1": "exit 3"');
  if (how === "gone") return original.replaceAll("continuo.cjs", "gone.cjs");
  // Every unit that a host may count in, down to about a second.
  const seconds = (_: string, key: string, n: string) => `"${key}": ${Number(n) > 500 ? 1000 : 1}`;
  return original.replaceAll(command, '"$1": "sleep 60"').replaceAll(/"(timeout\w*)": (\d+)/g, seconds);
}

/** Our own script, killed as the kernel kills, where it hurts most: under the lock, its new state not yet in place. */
function dyingScript(folder: string): string {
  const script = join(folder, "continuo.cjs"); // by this name `continuo install` knows it for ours, and mends it
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
