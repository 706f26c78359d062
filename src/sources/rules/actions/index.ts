import type { ActionGroup } from "../../../moments/ports/action.ts";
import { add } from "./add.ts";
import { check } from "./check.ts";
import { list } from "./list.ts";
import { remove } from "./remove.ts";
import { report } from "./report.ts";
import { trust, untrust } from "./trust.ts";
import { tryRule } from "./try.ts";
import { why } from "./why.ts";

/** The actions on rules. */
export const RULE_GROUPS = [
  {
    name: "rules",
    about: "list, add and check rules, see which are broken",
    section: "rules",
    guide:
      "A rule is a Markdown file in `.continuo/rules`, or in the folder of another tool such as Cursor or Copilot. It always applies, or only when its condition is met: a matching file is read, edited or mentioned, a prompt contains a word, or a branch is checked out.\n\nA rule checks itself if its frontmatter has checks, such as `checks: { edits: { never: '\\bany\\b' } }`. `docs/rules.md`, in the folder of the package, has more to copy.",
    examples: [
      ["continuo rules", "list the rules of this project and whether they apply"],
      ['continuo rules add "Run the tests before you say done."', "add a rule to this project"],
      ["continuo rules why tests", "explain why a rule applies or not"],
      ["continuo rules report", "show which rules are broken"],
    ],
    actions: [list, add, remove, why, check, report, tryRule, trust, untrust],
  },
] satisfies readonly ActionGroup[];
