import { DatabaseSync } from "node:sqlite";
import type { Engine } from "./metrics.ts";

/** The usual list of about ninety English words. */
const STOP = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does for from had has
  have he her him his how i if in into is it its just like me more my no not of on one or other our out over she so
  some than that the their them then there these they this to up us was we were what when where which who why will
  with would you your`.split(/\s+/),
);

const CHUNK = 1500;

/** Plain SQLite FTS5 with its porter tokenizer: all words but stop words, joined by OR, ranked by its bm25. */
export const fts5: (chunk: boolean) => Engine = (chunk) => (corpus) => {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE f USING fts5(body, tokenize='porter unicode61')");
  const insert = db.prepare("INSERT INTO f (rowid, body) VALUES (?, ?)");
  const owners: string[] = [];
  for (const { id, title, text } of corpus.documents) {
    const whole = title === undefined ? text : `${title}\n${text}`;
    for (let at = 0; at === 0 || at < whole.length; at += chunk ? CHUNK : whole.length + 1) {
      owners.push(id);
      insert.run(owners.length - 1, chunk ? whole.slice(at, at + CHUNK) : whole);
    }
  }
  const select = db.prepare("SELECT rowid AS at FROM f WHERE f MATCH ? ORDER BY rank LIMIT 500");
  return {
    rank(query) {
      const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP.has(word));
      if (words.length === 0) return [];
      const rows = select.all([...new Set(words)].map((word) => `"${word}"`).join(" OR "));
      return [...new Set(rows.map(({ at }) => owners[Number(at)] ?? ""))];
    },
    close: () => db.close(),
  };
};
