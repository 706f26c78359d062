import type { Command, Options } from "../command.ts";
import { version } from "../version.ts";

export function overview(commands: readonly Command[]): string {
  const single = commands.filter((command) => command.group === undefined);
  const notes = commands.filter((command) => command.group === "notes").map((command) => command.name);
  const width = Math.max(...single.map((command) => command.usage.length));
  return [
    `continuo ${version}: keeps a coding agent's thread across sessions, resumes and compactions`,
    "",
    ...single.map((command) => `  continuo ${command.usage.padEnd(width)}  ${command.summary}`),
    `  Notes: ${notes.join(", ")}`,
    "",
    "Every command takes --json. More about one: continuo help COMMAND",
    "Files: CONTINUO_HOME (default ~/.continuo). What goes where: docs/state.md",
  ].join("\n");
}

export function helpFor(command: Command): string {
  const options = optionLines({ ...command.options, json: { type: "boolean", help: "for programs" } });
  const words = command.words === undefined ? [] : ["", ...wordLines(command)];
  return [`continuo ${command.usage}`, "", command.summary, ...words, "", "Options:", ...options].join("\n");
}

function wordLines({ name, words = [], uses }: Command): string[] {
  if (uses === undefined) return [`Words: ${words.join(", ")}`];
  const width = Math.max(...uses.map(([usage]) => usage.length));
  return uses.map(([usage, what]) => `  continuo ${name} ${usage.padEnd(width)}  ${what}`);
}

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, { type, value = "VALUE", help = "" }]) => ({
    name: `  --${name}${type === "string" ? ` ${value}` : ""}`,
    help,
  }));
  const width = Math.max(...rows.map((row) => row.name.length));
  return rows.map((row) => `${row.name.padEnd(width)}  ${row.help}`.trimEnd());
}
