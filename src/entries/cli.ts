import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { main } from "../cli/main.ts";
import { print } from "../cli/terminal/print.ts";
import { workingFolder } from "../store/folder.ts";
import { registries } from "./registries.ts";

// npm starts Continuo through a link in .bin: the package is where the real file is.
const packageRoot = dirname(dirname(realpathSync(process.argv[1] ?? "")));
const cwd = process.env["INIT_CWD"] ?? workingFolder();

main(
  process.argv.slice(2),
  {
    env: process.env,
    cwd,
    now: Date.now,
    packageRoot,
    stdin: 0,
    ...registries,
  },
  {
    out: (text) => print(1, text),
    err: (text) => print(2, text),
    // Not imported: it loads the network modules, and most commands show no progress.
    isTerminal: () => process.getBuiltinModule("node:tty").isatty(2),
  },
).then((code) => {
  process.exitCode = code;
});
