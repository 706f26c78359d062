// The launcher behind `continuo`. A hook is on the user's critical path: its code is right here, and the rest of the
// command line is a file of its own that a hook never reads. A server's start is waited for too.
import { fstatSync } from "node:fs";

const [, , command, ...rest] = process.argv;
// A person at a terminal who tries `continuo hook` wants to know what it is, not to leave a failure behind.
const asksForHelp =
  rest.includes("--help") || rest.includes("-h") || (rest.length < 2 && fstatSync(0).isCharacterDevice());

// Required, not imported: in the bundle they are part of this file, but each runs only when it is called.
if (command === "hook" && !asksForHelp) hookMain().hookMain(rest);
else if (command === "mcp" && rest.length === 0) serve();
else require("./cli.cjs");

function hookMain(): typeof import("./hook-main.ts") {
  return require("./hook-main.ts");
}

function serve(): void {
  const { mcpMain } = require("./mcp-main.ts") as typeof import("./mcp-main.ts");
  mcpMain(process.env, process.cwd()).catch((error: Error) => {
    process.stderr.write(`continuo: ${error.message}\n`);
    process.exitCode = 1;
  });
}
