// The launcher behind `continuo`. A hook is on the user's critical path: its code is right here, and the rest of the
// command line is a file of its own that a hook never reads.
import { hookMain } from "./hook-main.ts";

const [, , command, ...rest] = process.argv;
const asksForHelp = rest.includes("--help") || rest.includes("-h");

if (command === "hook" && !asksForHelp) hookMain(rest);
else require("./cli.cjs");
