import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { version } from "./version.ts";

export function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.usage.length));
  return [
    `continuo ${version}: keeps a coding agent's thread across sessions, resumes and compactions`,
    "",
    ...COMMANDS.map((command) => `  continuo ${command.usage.padEnd(width)}  ${command.summary}`),
    "",
    "Every command takes --json. More about one: continuo help COMMAND",
    "Files: CONTINUO_HOME (default ~/.continuo). What goes where: docs/state.md",
  ].join("\n");
}

export function helpFor(command: Command): string {
  const options = Object.entries({ ...command.options, json: { type: "boolean" } }).map(
    ([name, option]) => `  --${name}${option.type === "string" ? " VALUE" : ""}`,
  );
  const words = command.words === undefined ? [] : ["", `Words: ${command.words.join(", ")}`];
  return [`continuo ${command.usage}`, "", command.summary, ...words, "", "Options:", ...options].join("\n");
}
