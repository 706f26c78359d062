import { ContinuoError } from "../../../base/errors.ts";
import type { Edit } from "../notes/edit-note.ts";
import type { Arguments } from "./arguments.ts";

/**
 * `operation` may be left out: a text to find is replaced, anything else appended. A replacement is made only if its text occurs exactly as often as expected: once, unless the model says
 * otherwise.
 */
export function editOf(args: Arguments): Edit {
  const content = args.optionalText("content") ?? "";
  const findText = args.optionalText("find") || undefined;
  const sectionName = args.filledText("section");
  const operation =
    args.choice("operation", ["append", "replace"]) ?? (findText === undefined ? "append" : "replace");
  // Only a replacement of text may be empty: it deletes the text.
  if (content.trim() === "" && (operation === "append" || findText === undefined))
    throw new ContinuoError("invalid-argument", "content is missing", { hint: "give a text" });
  if (operation === "append") {
    if (findText !== undefined)
      throw new ContinuoError("invalid-argument", "append does not use find", {
        hint: "give section, or operation replace",
      });
    return { operation, content, sectionName };
  }
  if ((findText === undefined) === (sectionName === undefined))
    throw new ContinuoError("invalid-argument", "replace needs either find or section", {
      hint: "find is the exact text to replace, section the heading whose text is replaced",
    });
  if (sectionName !== undefined) return { operation: "replace_section", content, sectionName };
  const expectedCount = args.whole("count", 1, 1_000_000) ?? 1;
  return { operation: "find_replace", content, findText: findText ?? "", expectedCount };
}
