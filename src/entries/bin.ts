// The launcher behind `continuo`. A hook is on the user's critical path: its code is a file of its own, and the rest of the
// command line another that a hook never reads. So is the server, which needs no command line either.
import { fstatSync, writeSync } from "node:fs";
import { setV8Flags } from "../base/v8-flags.ts";
import { version } from "../base/version.ts";
import { runInShell } from "../hosts/claude-code/resident/start-again.ts";
import { createLoader, type Places } from "./loader.ts";

/** Put in by the build: the name that all its files have in common. */
declare const CONTINUO_BUILD: string;
/** Where each bundle is in the file of all bundles, as JSON. */
declare const CONTINUO_PLACES: string;

const [, , command, ...rest] = process.argv;

if (rest.length === 0 && ["--version", "-v", "version"].includes(command ?? "")) {
  // Answered here: loading the command line would take longer than Node itself needs to start.
  writeSync(1, `${version}\n`);
} else if (command === "hook" && !asksForHelp()) runHook(rest.slice(0, 2));
else if (command === "mcp" && rest.length === 0 && !isTyped()) {
  runInShell(process.env);
  const { load, keep } = loaderFor("mcp");
  (load("mcp") as typeof import("./mcp.ts")).main(keep);
} else if (command === "run-checks" && rest.length === 1) {
  // Started by Continuo itself when an agent goes idle (`sources/rules/run/launch.ts`).
  (loaderFor("run-checks").load("run-checks") as typeof import("./run-checks.ts")).main(rest[0] ?? "");
} else {
  const { load, keep } = loaderFor("cli", command ?? "");
  // Not for a word that is no command.
  process.on("exit", (code) => code === 0 && keep());
  load("cli");
}

/** A person who tries `continuo hook` wants to know what it is, not to leave a failure behind. */
function asksForHelp(): boolean {
  return rest.includes("--help") || rest.includes("-h") || (isDevice() && (rest.length < 2 || isTyped()));
}

/** Agents send what they have to say through a pipe. */
function isDevice(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return false; // closed
  }
}

/** Whether a person is at the other end. Asked second, because it loads the network modules. */
function isTyped(): boolean {
  return isDevice() && process.getBuiltinModule("node:tty").isatty(0);
}

/** A package that is being replaced or is incomplete must not stop a host: `doctor` finds it, since no answer comes. */
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
 * A hook ends before optimised code pays, and V8 optimises in other threads, which cost processor time too. Such a thread
 * that needs memory waits for the main thread, and a main thread that ends waits for it: one process was seen standing still
 * for ever (Node 24.21). The hook command has these flags; one of an older version has not. Before any code
 * is loaded: kept code is right for the same flags only. Of patterns, V8 compiles those that are tried again a second
 * time: a hook that tries hundreds of them a few times is done sooner if it compiles each once.
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
