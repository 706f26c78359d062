import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { main } from "../cli/main.ts";
import { workingFolder } from "../store/folder.ts";
import { registries } from "./registries.ts";

// npm starts Continuo through a link in .bin: the package is where the real file is.
const packageRoot = dirname(dirname(realpathSync(process.argv[1] ?? "")));
const cwd = process.env["INIT_CWD"] ?? workingFolder();

// The reader of the output may have closed it: `continuo list | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

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
  { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
).then((code) => {
  process.exitCode = code;
});
