import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sabotage } from "../e2e/host-driver.ts";
import { CONTINUO } from "./child.ts";

/** What `continuo install` wrote for a host that starts Continuo's processes: the hooks first, then the rest. */
export interface Installed {
  readonly hooks: string;
  readonly others: readonly string[];
  /** Hooks call the MCP server, so it is broken too. */
  readonly breaksServer?: boolean;
  /** The folder for what replaces Continuo's script and its runtime. */
  readonly folder: string;
}

export interface Tampering {
  sabotage(how: Sabotage): void;
  trace(folder: string): void;
}

/** Breaks or watches what a host's settings run. The commands and their timeouts stay as installed. */
export function tampering({ hooks, others, breaksServer = false, folder }: Installed): Tampering {
  let wired: string | undefined;
  const original = () => {
    wired ??= readFileSync(hooks, "utf8");
    return wired;
  };
  /** The host writes these files itself: only the path is changed, and changed back. */
  let inServers: { path: string; instead: string } | undefined;
  const inOthers = (path: string, instead: string) => {
    for (const file of others) {
      const text = readFileSync(file, "utf8");
      const whole = inServers === undefined ? text : text.replaceAll(inServers.instead, inServers.path);
      writeFileSync(file, whole.replaceAll(path, instead));
    }
    inServers = { path, instead };
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
  const breakIt = (path: string, instead: string) => {
    inHooks(path, instead);
    if (breaksServer) inOthers(path, instead);
  };
  return {
    sabotage(how) {
      if (how === "killed") everywhere(CONTINUO, dyingScript(join(folder, "dying")));
      else if (how === "no runtime") breakIt(process.execPath, "/gone/bin/node");
      else breakIt(CONTINUO, brokenScript(join(folder, how), how));
    },
    trace: (traces) => everywhere(process.execPath, tracer(join(folder, "traced-node"), traces)),
  };
}

/** Failures that a host with hooks must tolerate. */
export const HOOK_SABOTAGES = ["throws", "refuses", "garbage", "hangs", "gone", "no runtime"] as const;

const BROKEN: Readonly<Record<Exclude<Sabotage, "killed" | "gone" | "no runtime">, string>> = {
  throws: 'throw new Error("MARK-BROKEN");',
  // The code with which a hook refuses a prompt in several hosts.
  refuses: 'console.error("MARK-BROKEN"); process.exit(2);',
  garbage: 'console.error("MARK-BROKEN"); console.log("MARK-BROKEN {");',
  // Uses no processor time, reacts to signals only, and takes longer than any host waits. Not for ever: a host does not end what
  // goes on after a session's end.
  hangs: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15_000);",
};

function brokenScript(folder: string, how: Exclude<Sabotage, "killed" | "no runtime">): string {
  const script = join(folder, "continuo.cjs");
  if (how === "gone") return script;
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, BROKEN[how]);
  return script;
}

/** Continuo's script, killed with SIGKILL at the worst point: it holds the lock, and its new state is not in place yet. */
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

/** Traces as a grandchild, so that signals go to the program and not to the tracer. */
const STRACE = ["strace", "-D", "-f", "-qq", "-e", "trace=network", "-o"] as const;

/** Only on Linux, and only if tracing is allowed. */
export const noStrace: string | undefined =
  spawnSync(STRACE[0], ["-f", "-o", "/dev/null", "true"]).status === 0
    ? undefined
    : "strace is not here, or may not trace";

/** A runtime that records the network calls of what it runs. */
function tracer(file: string, traces: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec ${STRACE.join(" ")} ${traces}/$$ ${process.execPath} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The same for a program that runs Continuo in its own process. */
export function traced(command: readonly string[], traces: string | undefined): string[] {
  return traces === undefined ? [...command] : [...STRACE, join(traces, `host-${Date.now()}`), ...command];
}
