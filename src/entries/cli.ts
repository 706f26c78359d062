import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { main } from "../cli/main.ts";
import { page } from "../cli/terminal/pager.ts";
import { print } from "../cli/terminal/print.ts";
import { type Screen, screenFor } from "../cli/terminal/screen.ts";
import { workingFolder } from "../store/folder.ts";
import { registries } from "./registries.ts";

// npm starts Continuo through a link in .bin: the package is where the link leads.
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
    isTerminal: () => isatty(2) && process.env["TERM"] !== "dumb",
    screen: () => screenOf(1),
    errScreen: () => screenOf(2),
    page: (text) => page(text, { env: process.env, screen: screenOf(1), platform: process.platform, isatty }),
  },
).then((code) => {
  process.exitCode = code;
});

function isatty(descriptor: number): boolean {
  // Not imported: it loads the network modules, and most commands show no progress.
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

function screenOf(descriptor: 1 | 2): Screen {
  const isTerminal = isatty(descriptor);
  // Not `columns`: it is updated only when the event loop runs, which a long job seldom allows.
  const [columns, rows] = isTerminal ? sizeOf(descriptor === 1 ? process.stdout : process.stderr) : [];
  return screenFor(process.env, { isTerminal, columns, rows, platform: process.platform });
}

function sizeOf(stream: NodeJS.WriteStream): [number?, number?] {
  try {
    return stream.getWindowSize();
  } catch {
    return []; // a terminal without a size, such as a serial line
  }
}
