import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import type { Command, Input } from "../command.ts";
import { PLAIN } from "../terminal/screen.ts";

interface Registered {
  readonly findCommand: (name: string, actions: Input["actions"]) => Promise<Command>;
  readonly loadAllCommands: (actions: Input["actions"]) => Promise<readonly Command[]>;
}

export function help({ findCommand, loadAllCommands }: Registered): Command {
  return {
    name: "help",
    summary: "explain a command or a subcommand, with examples",
    usage: "help [COMMAND] [SUBCOMMAND]",
    section: "more",
    isMinor: true,
    guide: "The same text is shown by --help after any command, such as `continuo rules list --help`.",
    options: { man: { type: "boolean", help: "print the whole manual: every command with all its options" } },
    arguments: {
      COMMAND: { help: "a command, such as rules; without one, all commands are listed" },
      SUBCOMMAND: { help: "one of its subcommands, such as list" },
    },
    examples: [
      ["continuo help rules", "list the subcommands of continuo rules"],
      ["continuo help rules list", "show its options and examples"],
      ["continuo help --man", "read the whole manual"],
    ],
    async run({ positionals, values, actions, screen = PLAIN }) {
      const [name, word, ...rest] = positionals;
      if (rest.length > 0)
        throw new ContinuoError("usage", "help takes a command and a subcommand", {
          hint: "for example: continuo help rules list",
        });
      const text = await textFor();
      return { data: { help: text }, text };

      async function textFor(): Promise<string> {
        if (values["man"] === true)
          return (await import("../manual/as-man.ts")).manPage(await loadAllCommands(actions), screen);
        if (name === undefined)
          return (await import("../manual/as-text.ts")).overview(await loadAllCommands(actions), screen);
        const command = await findCommand(name, actions);
        const [{ pageAsText }, { pageOf, subpageOf }] = await Promise.all([
          import("../manual/as-text.ts"),
          import("../manual/page.ts"),
        ]);
        return pageAsText(
          word === undefined ? pageOf(command) : subpageOf(command, findSubcommand(command, word)),
          screen,
        );
      }
    },
  };
}

function findSubcommand({ name, subcommands = [] }: Command, word: string) {
  const found = subcommands.find((one) => one.name === word);
  if (found !== undefined) return found;
  if (subcommands.length === 0)
    throw new ContinuoError("usage", `"${name}" has no subcommands`, { hint: `see: continuo help ${name}` });
  const names = subcommands.map((one) => one.name);
  const near = nearest(word, names);
  throw new ContinuoError("usage", `unknown subcommand "${name} ${word}"`, {
    hint:
      near === undefined
        ? `subcommands: ${names.join(", ")}`
        : `did you mean "continuo help ${name} ${near}"?`,
  });
}
