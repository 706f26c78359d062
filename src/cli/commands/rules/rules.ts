import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { RULES_OPTIONS, RULES_SUBCOMMANDS } from "./subcommands.ts";

/** Each is loaded when it is used. */
const ACTIONS: Actions = {
  list: async (input) => (await import("./list.ts")).list(input),
  why: async (input) => (await import("./why.ts")).why(input),
  check: async (input) => (await import("./check.ts")).check(input),
  add: async (input) => (await import("./add.ts")).add(input),
  remove: async (input) => (await import("./remove.ts")).remove(input),
  report: async (input) => (await import("./report.ts")).report(input),
  try: async (input) => (await import("./try.ts")).tryRule(input),
  trust: async (input) => (await import("./trust.ts")).trust(input),
  untrust: async (input) => (await import("./trust.ts")).untrust(input),
};

export const rulesCommand: Command = {
  name: "rules",
  summary: "list, add and check rules, see which are broken",
  usage: "rules [SUBCOMMAND]",
  section: "rules",
  guide:
    "A rule is a Markdown file in `.continuo/rules`, or in the folder of another tool such as Cursor or Copilot. It always applies, or only when its condition is met: a matching file is read, edited or mentioned, a prompt contains a word, or a branch is checked out.\n\nA rule checks itself if its frontmatter has checks, such as `checks: { edits: { never: '\\bany\\b' } }`. `docs/rules.md`, in the folder of the package, has more to copy.",
  options: RULES_OPTIONS,
  arguments: {
    TEXT: { help: "what the agent should do; quotes are optional" },
    RULE: { help: "a rule by its name or its file; try also takes a path" },
  },
  subcommands: RULES_SUBCOMMANDS,
  examples: [
    ["continuo rules", "list the rules of this project and whether they apply"],
    ['continuo rules add "Run the tests before you say done."', "add a rule to this project"],
    ["continuo rules why tests", "explain why a rule applies or not"],
    ["continuo rules report", "show which rules are broken"],
  ],
  run: (input) => chooseAction("rules", ACTIONS, input, "list")(input),
};
