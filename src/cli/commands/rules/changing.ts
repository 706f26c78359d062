import type { Options, Subcommand } from "../../command.ts";

export const CHANGING_OPTIONS: Options = {
  globs: {
    type: "string",
    multiple: true,
    value: "GLOBS",
    help: "give the rule only when a matching file is read, edited or mentioned",
    fallback: "the rule always applies",
  },
  name: { type: "string", value: "NAME", help: "name of the rule", fallback: "made from its text" },
  user: { type: "boolean", help: "make it a rule for all your projects" },
};

/** The subcommands that write and remove rules, for the help. */
export const CHANGING: readonly Subcommand[] = [
  {
    name: "add",
    args: "TEXT",
    summary: "write a new rule for this project, or with --user for all your projects",
    guide:
      "The rule is a Markdown file in `.continuo/rules` of the project; with --user, and in your home folder, in `CONTINUO_HOME/rules`. New sessions begin with it, and running ones get it with their next prompt or tool call. With --globs it is given when a matching file is read, edited or mentioned with @ in a prompt. A rule with the same text is not added twice, and no file is replaced.",
    options: ["globs", "name", "user", "project"],
    examples: [
      ['continuo rules add "Run the tests before you say done."', "every session in this project gets it"],
      [
        "continuo rules add \"Imports end in .ts.\" --globs 'src/**/*.ts'",
        "only sessions that touch such a file get it",
      ],
      ['continuo rules add "Answer in British English." --user', "in all your projects"],
    ],
  },
  {
    name: "remove",
    args: "RULE",
    summary: "remove a rule; continuo restore brings it back",
    guide:
      "Asks first. The file is moved to Continuo's trash. Rule files of other programs, such as `.cursor/rules`, are not removed: turn them off with `continuo mute`.",
    options: ["project", "yes"],
    examples: [
      ["continuo rules remove run-the-tests", "asks, then moves the file to the trash"],
      ["continuo rules remove run-the-tests --yes", "the same without asking"],
    ],
  },
];
