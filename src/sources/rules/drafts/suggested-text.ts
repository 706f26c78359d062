import { splitFrontmatter } from "../parsing/frontmatter.ts";
import type { Dialect } from "../rule.ts";
import { draftsFrom } from "./drafts-from.ts";
import { applyEdit } from "./edit-frontmatter.ts";
import { editFor } from "./rule-file.ts";
import { globsOf } from "./rule-globs.ts";

/** The rule with the checks that its own sentences suggest. Undefined if they suggest none. */
export async function suggestedText(
  text: string,
  file: { name: string; dialect: Dialect },
): Promise<string | undefined> {
  const { yaml, body } = splitFrontmatter(text);
  let after = text;
  for (const { check } of draftsFrom(body, { as: "rule", globs: await globsOf(yaml) })) {
    const edit = await editFor(after, check, file);
    if (edit !== undefined && edit !== "there" && !("code" in edit)) after = applyEdit(after, edit);
  }
  return after === text ? undefined : after;
}
