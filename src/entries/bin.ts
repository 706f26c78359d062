// The launcher behind `continuo`. A hook is on the user's critical path, so its code is a bundle of its own, and a hook
// never reads the rest of the command line. The MCP server, which needs no command line either, has its own bundle too.
import { fstatSync, writeSync } from "node:fs";
import { setV8Flags } from "../base/v8-flags.ts";
import { version } from "../base/version.ts";
import { runInShell } from "../hosts/claude-code/resident/start-again.ts";
import { createLoader, type Places } from "./loader.ts";

/** Set by the build: the name that all files of one build share. */
declare const CONTINUO_BUILD: string;
/** The position of each bundle in the file that contains all of them, as JSON. */
declare const CONTINUO_PLACES: string;

const [, , command, ...rest] = process.argv;

if (rest.length === 0 && ["--version", "-v", "version"].includes(command ?? "")) {
  // Handled here: loading the command line would take longer than Node itself needs to start.
  writeSync(1, `${version}\n`);
} else if (command === "hook" && !asksForHelp()) runHook(rest.slice(0, 2));
else if (command === "mcp" && rest.length === 0 && !isTyped()) {
  runInShell(process.env);
  const { load, keep } = loaderFor("mcp");
  (load("mcp") as typeof import("./mcp.ts")).main(keep);
} else if (command === "run-checks" && rest.length === 1) {
  // Started by Continuo itself when an agent goes idle (`sources/rules/run/start-runs.ts`).
  (loaderFor("run-checks").load("run-checks") as typeof import("./run-checks.ts")).main(rest[0] ?? "");
} else {
  const { load, keep } = loaderFor("cli", command ?? "");
  // Not for an unknown command.
  process.on("exit", (code) => code === 0 && keep());
  load("cli");
}

/** Someone who types `continuo hook` wants to know what it is, so show help instead of recording a failure. */
function asksForHelp(): boolean {
  return rest.includes("--help") || rest.includes("-h") || (isDevice() && (rest.length < 2 || isTyped()));
}

/** Agents send their payload through a pipe. */
function isDevice(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return false; // closed
  }
}

/** Whether input comes from a terminal. Checked second, because this loads the network modules. */
function isTyped(): boolean {
  return isDevice() && process.getBuiltinModule("node:tty").isatty(0);
}

/**
 * A package that is incomplete, or is just being replaced, must not stop a host. `doctor` notices, because no answer
 * comes.
 */
function runHook(words: readonly string[]): void {
  optimiseNothing();
  try {
    const { load, keep } = loaderFor("hook", ...words);
    process.on("exit", keep);
    load("hook");
  } catch (error) {
    writeSync(2, `continuo: the package is incomplete (${(error as Error).message.split("\n")[0]})\n`);
    process.exitCode = 0;
  }
}

/**
 * Disables V8's optimising compilers. A hook ends before optimised code would pay off, and the compiler threads cost
 * processor time. Such a thread can also wait for the main thread while the exiting main thread waits for it: one
 * process hung forever (Node 24.21). Current hook commands set these flags themselves; those of older versions do not.
 * Must run before any code is loaded, because cached code is valid only for the same flags. V8 also compiles a regular
 * expression a second time when it is used repeatedly; a hook that tries hundreds of them a few times each is faster
 * without that.
 */
function optimiseNothing(): void {
  if (!process.execArgv.includes("--no-opt"))
    setV8Flags("--no-opt", "--no-maglev", "--no-sparkplug", "--no-regexp-tier-up");
}

function loaderFor(...words: readonly string[]) {
  const kind = words.map((word) => (/^[\w-]{1,30}$/.test(word) ? word : "other")).join("-");
  const places = JSON.parse(CONTINUO_PLACES) as Places;
  return createLoader({ folder: __dirname, build: CONTINUO_BUILD, places, kind, env: process.env });
}
