// The launcher behind `continuo`. A hook is on the user's critical path: its code is right here, and the rest of the
// command line is a file of its own that a hook never reads.
import { fstatSync } from "node:fs";
import { hookMain } from "./hook-main.ts";

const [, , command, ...rest] = process.argv;
// A person at a terminal who tries `continuo hook` wants to know what it is, not to leave a failure behind.
const asksForHelp =
  rest.includes("--help") || rest.includes("-h") || (rest.length < 2 && fstatSync(0).isCharacterDevice());

if (command === "hook" && !asksForHelp) hookMain(rest);
else require("./cli.cjs");
