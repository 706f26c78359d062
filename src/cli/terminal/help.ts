import { version } from "../../base/version.ts";
import type { Command, Options } from "../command.ts";
import { wrap } from "./wrap.ts";

/** What the commands of a group are for. */
const GROUPS: Readonly<Record<NonNullable<Command["group"]>, string>> = {
  notes: "Notes",
  muting: "What is added to sessions",
  hosts: "For hosts and shells",
};

export function overview(commands: readonly Command[]): string {
  const single = commands.filter((command) => command.group === undefined);
  const namesOf = (group: string): string =>
    commands
      .filter((command) => command.group === group)
      .map((command) => command.name)
      .join(", ");
  const width = Math.max(...single.map((command) => command.usage.length));
  return [
    `continuo ${version}: makes coding agents remember your rules, notes and past sessions`,
    "",
    ...single.map((command) => `  continuo ${command.usage.padEnd(width)}  ${command.summary}`),
    ...Object.entries(GROUPS).map(([group, label]) => `  ${label}: ${namesOf(group)}`),
    "",
    "Every command takes --json. Help for one command: continuo help COMMAND",
    "Files are stored in CONTINUO_HOME (default: ~/.continuo). docs/design/state.md lists them.",
  ].join("\n");
}

export function helpFor(command: Command): string {
  const options = optionLines({ ...command.options, json: { type: "boolean", help: "print JSON" } });
  const words = wordLines(command);
  return [`continuo ${command.usage}`, "", command.summary, ...words, "", "Options:", ...options].join("\n");
}

/** The subcommands, or the values of the first argument unless the usage line spells them out. */
function wordLines({ name, usage, words = [], uses }: Command): string[] {
  if (uses !== undefined) {
    const width = Math.max(...uses.map(([use]) => use.length));
    return [
      "",
      "Subcommands:",
      ...uses.map(([use, what]) =>
        wrap(`  ${name} ${use.padEnd(width)}  ${what}`, { hang: name.length + width + 3 }),
      ),
    ];
  }
  const argument = /^\S+ ([A-Z]+)/.exec(usage)?.[1];
  const isSpeltOut = words.every((word) => usage.includes(word));
  return argument === undefined || isSpeltOut ? [] : ["", `${argument}: ${words.join(", ")}`];
}

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, { type, value = "VALUE", help = "" }]) => ({
    name: `  --${name}${type === "string" ? ` ${value}` : ""}`,
    help,
  }));
  const width = Math.max(...rows.map((row) => row.name.length));
  return rows.map((row) => wrap(`${row.name.padEnd(width)}  ${row.help}`.trimEnd(), { hang: width }));
}
