import { join } from "node:path";
import { fingerprint } from "../../../base/fingerprint.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import { openIndexWith } from "../../../store/derived-index/kept.ts";
import type { IndexOptions } from "../../../store/derived-index/open.ts";
import { SHAPE, shape } from "../../../store/derived-index/shape.ts";
import type { Home } from "../../../store/home.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { MemoryRoot } from "../files/roots.ts";
import { type IndexPlugin, textPlugin } from "./index-plugin.ts";
import type { NoteFiles } from "./note-files.ts";

/** Everything derived from the notes of one root. Deleting its file loses nothing: the next sync fills it again. */
export interface MemoryIndex {
  readonly db: Database;
  readonly files: NoteFiles;
  readonly plugins: readonly IndexPlugin[];
  /** The table of meaning, for new vectors and for queries. */
  readonly meaning: MeaningSource;
  close(): void;
}

interface MemoryIndexOptions extends Omit<IndexOptions, "path" | "migrations"> {
  /** Plug-ins besides the full text. */
  readonly plugins?: readonly IndexPlugin[];
  /** Without it, passages are searched only by words. */
  readonly meaning?: MeaningSource;
  /** Whether closing it keeps it open for the next call. */
  readonly keepsOpen?: boolean;
}

const NOTES = `
  CREATE TABLE folder (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,     -- below the root; '' is the root
    modified REAL NOT NULL,        -- of the folder when it was last read completely; 0 before that
    round INTEGER NOT NULL,        -- the last one in which all files known in it were looked at
    looked INTEGER NOT NULL        -- the last note looked at in a round that goes on; 0 when none was
  );
  CREATE TABLE round (number INTEGER NOT NULL);
  INSERT INTO round VALUES (1);
  CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    folder INTEGER NOT NULL,
    name TEXT NOT NULL,            -- of the file, in its folder
    uri TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    tags TEXT,                     -- JSON, null when there are none
    project TEXT,                  -- as the frontmatter names it
    project_id TEXT,               -- the identity of the project where it was written
    problem TEXT,                  -- what could not be read of it, null when all could
    created REAL,
    modified REAL NOT NULL,
    size INTEGER NOT NULL,
    checksum TEXT NOT NULL,        -- its beginning: enough to tell whether the text is another
    is_settled INTEGER NOT NULL    -- 0 when read so soon after a change that another one could look the same
  );
  CREATE INDEX note_by_folder ON note (folder);
  CREATE INDEX note_by_modified ON note (modified);
  CREATE INDEX note_by_project ON note (project COLLATE NOCASE, project_id) WHERE project IS NOT NULL;
`;

/** An index contains addresses with the root's name, so the same folder under another name gets another index. */
export function memoryIndexPath(home: Home, { name, path }: Pick<MemoryRoot, "name" | "path">): string {
  return join(home.root, `memory-${fingerprint(name === undefined ? path : `@${name} ${path}`)}.db`);
}

/** Opens the index of a root; creates or recreates it if needed (see `openIndex`). `syncIndex` fills it. */
export function openMemoryIndex(
  path: string,
  files: NoteFiles,
  options: MemoryIndexOptions = {},
): MemoryIndex {
  const { plugins: more = [], meaning = () => undefined, keepsOpen = false, ...rest } = options;
  const plugins = [textPlugin(meaning), ...more];
  const make = (made: Database) => {
    // Overwrites deleted content: otherwise titles and words of deleted notes stay readable in free pages.
    made.exec("PRAGMA secure_delete = ON");
    shape(made, [NOTES, ...plugins.map(({ schema }) => schema)].join("\n"));
  };
  const db = openIndexWith({ ...rest, path, migrations: SHAPE }, make, keepsOpen);
  return { db, files, plugins, meaning, close: () => db.close() };
}
