import { unlinkSync } from "node:fs";
import { systemCode } from "../../../base/errors.ts";
import { noteFailure } from "./failures.ts";
import type { Located } from "./identify.ts";
import { type Desk, underLock } from "./under-lock.ts";

/** Deletes a note for good, when that was confirmed. */
export async function deleteNote(desk: Desk, note: Located, confirm: boolean): Promise<void> {
  if (!confirm) {
    throw noteFailure(
      "note-unconfirmed",
      `${note.uri} was not deleted`,
      "set confirm to true; nothing brings it back",
    );
  }
  await underLock(desk, note.root, () => {
    try {
      unlinkSync(note.path);
    } catch (error) {
      if (systemCode(error) === "ENOENT")
        throw noteFailure("note-not-found", `${note.uri} is gone`, "nothing is left to do");
      throw error;
    }
  });
}
