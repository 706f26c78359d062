import { SEGMENT_SCHEMA } from "../../../search/segment.ts";
import { openIndexWith } from "../../../store/derived-index/kept.ts";
import type { IndexOptions } from "../../../store/derived-index/open.ts";
import { SHAPE, shape } from "../../../store/derived-index/shape.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { REFILL_SCHEMA } from "./refill.ts";

export { sessionsIndexPath } from "./index-path.ts";

/**
 * Everything here is derived from the hosts' histories. A session has one transcript or, where its host began another
 * file, several. Its text is in units of a few passages, compressed. The words of a unit are in the text index under
 * the unit's number, see `units.ts`.
 * The text below is fingerprinted with its comments: any change of it rebuilds every index, and sessions whose transcripts
 * are gone are lost. The tables of the text index may change: `refill.ts`. (Families are in `lineage.ts`.)
 */
const SCHEMA = `
  CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    sid TEXT NOT NULL,               -- the host's id
    project TEXT,
    label TEXT,
    cwd TEXT,
    branch TEXT,
    name TEXT NOT NULL,
    named_by TEXT NOT NULL,
    started REAL NOT NULL,
    modified REAL NOT NULL,
    parent TEXT,
    fork_of TEXT,
    is_fork_told INTEGER NOT NULL,   -- by the host; else it shows by the turns that both have
    continues TEXT,
    first_turn INTEGER,              -- sessions that share it are one family, see families.ts
    family INTEGER NOT NULL DEFAULT 0, -- how many they were when they were last compared
    is_child INTEGER NOT NULL,
    last_turn TEXT,
    turns INTEGER NOT NULL DEFAULT 0,
    prompts INTEGER NOT NULL DEFAULT 0,
    compactions INTEGER NOT NULL DEFAULT 0,
    passages INTEGER NOT NULL DEFAULT 0,
    is_gone INTEGER NOT NULL DEFAULT 0
  );
  CREATE UNIQUE INDEX session_by_key ON session (host, sid);
  CREATE INDEX session_by_modified ON session (modified);
  CREATE INDEX session_by_first_turn ON session (first_turn) WHERE first_turn IS NOT NULL;
  CREATE TABLE transcript (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    key TEXT NOT NULL,               -- '' where the file is the session
    modified REAL NOT NULL,          -- when it was read to its end; 0 before that
    size INTEGER NOT NULL,
    offset REAL NOT NULL,            -- where to go on
    tail TEXT NOT NULL,              -- of the bytes before offset: tells growth from replacement
    turns INTEGER NOT NULL,          -- up to offset, as are the next two
    prompts INTEGER NOT NULL,
    compactions INTEGER NOT NULL,
    other_branches TEXT NOT NULL DEFAULT '[]' -- as the reader told them when left_turn was filled
  );
  CREATE UNIQUE INDEX transcript_by_path ON transcript (path, key);
  CREATE INDEX transcript_by_session ON transcript (session);
  CREATE TABLE unit (
    id INTEGER PRIMARY KEY,
    transcript INTEGER NOT NULL,
    settled INTEGER NOT NULL,        -- passages that will not come again
    count INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE TABLE seen (turn INTEGER PRIMARY KEY, transcript INTEGER NOT NULL);
  CREATE TABLE left_turn (            -- on branches that a session has left
    transcript INTEGER NOT NULL, turn INTEGER NOT NULL, PRIMARY KEY (transcript, turn)
  ) WITHOUT ROWID;
  CREATE TABLE looked (at REAL NOT NULL); -- when everything was last found to be indexed
  INSERT INTO looked VALUES (0);
  CREATE TABLE path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
  CREATE TABLE touched (
    session INTEGER NOT NULL, path INTEGER NOT NULL, edited INTEGER NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (session, path)
  ) WITHOUT ROWID;
`;

/** Fingerprints of indexes from 0.1, when words shared one schema with the tables above. */
const EARLIER = ["7efbeddf8be86b54"];

/**
 * Version 0.1.0 would empty an index with other tables, but sets aside one with a higher version number, as
 * `sessions.db.bad-1`.
 */
const MIGRATIONS = [...SHAPE, { id: 2, name: "not for 0.1.0", up: () => undefined }];

/** Opens the index and creates or rebuilds it as needed; `syncSessions` fills it. */
export function openSessionsIndex(options: Omit<IndexOptions, "migrations">, keepsOpen = false): Database {
  const make = (db: Database) =>
    shape(db, SCHEMA, { schema: SEGMENT_SCHEMA + REFILL_SCHEMA, earlier: EARLIER });
  return openIndexWith({ ...options, migrations: MIGRATIONS }, make, keepsOpen);
}
