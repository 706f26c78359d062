import type { Migration } from "./migrate.ts";

/**
 * The index's schema, step by step. A released step is never edited: add one. A step that wants to see ledger
 * lines again which an earlier version skipped empties `ledger_file`, and the next sync reads everything.
 */
export const migrations: readonly Migration[] = [
  {
    id: 1,
    name: "deliveries",
    up(db) {
      db.exec(`
        CREATE TABLE ledger_file (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL UNIQUE,
          size INTEGER NOT NULL,         -- bytes when last looked at; beyond offset is not yet a whole line
          offset INTEGER NOT NULL,       -- bytes indexed
          tail TEXT NOT NULL             -- hash of the last bytes before offset: tells growth from rewriting
        );
        CREATE TABLE delivery (
          id INTEGER PRIMARY KEY,
          file INTEGER NOT NULL REFERENCES ledger_file (id) ON DELETE CASCADE,
          offset INTEGER NOT NULL,       -- where its line begins: one delivery has a row for each item
          at TEXT NOT NULL,
          host TEXT NOT NULL,
          session TEXT NOT NULL,
          project TEXT,
          epoch INTEGER NOT NULL,
          kind TEXT NOT NULL CHECK (kind IN ('snapshot', 'addition')),
          source TEXT NOT NULL,
          item TEXT NOT NULL,
          title TEXT,
          reason TEXT,
          tokens INTEGER NOT NULL,
          cost INTEGER NOT NULL,         -- tokens of the whole delivery, framing included
          fingerprint TEXT
        );
        CREATE INDEX delivery_by_session ON delivery (host, session, at);
        CREATE INDEX delivery_by_at ON delivery (at);
        CREATE INDEX delivery_by_file ON delivery (file, offset);
      `);
    },
  },
];
