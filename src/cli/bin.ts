// The launcher behind `continuo`. A hook is on the user's critical path: it loads its own small bundle and not the
// whole command line.
const [, , command, ...rest] = process.argv;
const asksForHelp = rest.includes("--help") || rest.includes("-h");
require(command === "hook" && !asksForHelp ? "./hook.cjs" : "./cli.cjs");
