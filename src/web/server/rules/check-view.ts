import { partsOf } from "../../../sources/rules/checks/describe.ts";
import type { Check } from "../../../sources/rules/rule.ts";
import type { RuleCheck } from "../../api/rules.ts";

/** A check for the page, in full: users cannot trust what they cannot see. */
export function checkView(check: Check): RuleCheck {
  return {
    on: check.on,
    reaction: check.reaction,
    words: partsOf(check).map((part) =>
      typeof part === "string" ? part : { code: exact("text" in part ? part.text : part.pattern) },
    ),
    ...(check.message === undefined ? {} : { message: exact(check.message) }),
  };
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Cs}]/gu;

/** Makes every character visible: characters that hide, or reorder others, are shown as escapes. */
export function exact(text: string): string {
  return text.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
