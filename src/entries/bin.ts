// The launcher behind `continuo`. A hook is on the user's critical path: its code is a file of its own, and the rest of the
// command line another that a hook never reads. So is the server, which needs no command line either.
import { fstatSync, writeSync } from "node:fs";
import { version } from "../base/version.ts";
import { keepCompiled } from "./compiled.ts";
import { runInShell } from "./start-again.ts";

const [, , command, ...rest] = process.argv;
// A person at a terminal who tries `continuo hook` wants to know what it is, not to leave a failure behind.
const asksForHelp =
  rest.includes("--help") || rest.includes("-h") || (rest.length < 2 && fstatSync(0).isCharacterDevice());

if (rest.length === 0 && ["--version", "-v", "version"].includes(command ?? "")) {
  // Answered here: loading the command line would take longer than Node itself needs to start.
  writeSync(1, `${version}\n`);
} else {
  if (command === "mcp" && rest.length === 0) runInShell(process.env);
  keepCompiled(process.env);
  if (command === "hook" && !asksForHelp) runHook();
  else if (command === "mcp" && rest.length === 0) require("./mcp.cjs");
  else require("./cli.cjs");
}

/** A package that is being replaced or is incomplete must not stop a host: `doctor` finds it, since no answer comes. */
function runHook(): void {
  try {
    require("./hook.cjs");
  } catch (error) {
    writeSync(2, `continuo: the package is incomplete (${(error as Error).message.split("\n")[0]})\n`);
    process.exitCode = 0;
  }
}
