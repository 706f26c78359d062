import type { Edit } from "../../../sources/memory/notes/edit-note.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";

export const OPERATIONS = ["append", "prepend", "find_replace", "replace_section"] as const;

export interface EditWords {
  readonly operation: (typeof OPERATIONS)[number];
  readonly content: string;
  readonly findText?: string;
  readonly expectedCount?: number;
  readonly sectionName?: string;
}

/** An edit, once it has everything that its operation needs. */
export function editOf({ operation, content, findText, expectedCount, sectionName }: EditWords): Edit {
  switch (operation) {
    case "find_replace":
      if (findText === undefined)
        throw noteFailure("note-invalid", "find_replace needs the text to find", "give findText (--find)");
      return { operation, content, findText, ...(expectedCount === undefined ? {} : { expectedCount }) };
    case "replace_section":
      if (sectionName === undefined)
        throw noteFailure("note-invalid", "replace_section needs a heading", "give sectionName (--section)");
      return { operation, content, sectionName };
    default:
      return { operation, content };
  }
}
