import { ContinuoError } from "../../../base/errors.ts";
import type { TextsOf } from "../../../search/vectors/refresh.ts";
import type { Note } from "../files/note.ts";
import { pathOf } from "./apply.ts";
import { embeddedTexts } from "./index-plugin.ts";
import type { MemoryIndex } from "./memory-index.ts";

interface Row {
  readonly id: number;
  readonly name: string;
  readonly folder: string;
  readonly checksum: string;
}

/** The texts of notes that have not changed since they were indexed. The next sync indexes the others again. */
export function noteTexts(index: MemoryIndex): TextsOf {
  return async (notes) => {
    const texts = new Map<number, readonly string[]>();
    for (const id of notes) {
      const row = index.db.get<Row>(
        `SELECT note.id, name, folder.path AS folder, checksum FROM note JOIN folder ON folder.id = note.folder
         WHERE note.id = ?`,
        [id],
      );
      if (row === undefined) continue;
      const note = await readable(index, pathOf(index, row.folder, row.name));
      if (row.checksum !== "" && note?.checksum.startsWith(row.checksum) === true)
        texts.set(id, embeddedTexts(note));
      else indexAgain(index, row);
    }
    return texts;
  };
}

async function readable({ files }: MemoryIndex, path: string): Promise<Note | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof ContinuoError) return undefined; // the sync reports it
    throw error;
  }
}

/**
 * Makes the next sync index the note again, with its vectors, even if the file is unreadable now and unchanged later.
 */
function indexAgain({ db }: MemoryIndex, { id, checksum }: Row): void {
  db.run("UPDATE note SET checksum = '', is_settled = 0 WHERE id = ? AND checksum = ?", [id, checksum]);
}
