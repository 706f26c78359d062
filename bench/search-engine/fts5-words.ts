import { DatabaseSync, type StatementSync } from "node:sqlite";
import { passagesOf } from "../../src/search/passages.ts";
import { eachTerm, queryTerms, STOP_WORDS } from "../../src/search/words.ts";

/** How an FTS5 index is built and asked. */
export interface Fts5Options {
  /** FTS5's own words and Porter stems, or Continuo's terms, which also split names such as `userName`. */
  readonly terms: "porter" | "ours";
  readonly title: number;
  /** The rarest words of a query that are searched. */
  readonly mostTerms: number;
  /** A second table by trigrams, for words that no passage has. */
  readonly trigrams: boolean;
}

export const FTS5: Fts5Options = { terms: "porter", title: 2, mostTerms: 16, trigrams: false };

export interface OwnedText {
  readonly owner: number;
  readonly title: string;
  readonly text: string;
}

/** By owner: a share of a perfect match, as in Continuo's ranking, and the best passage, counted over all. */
export interface WordShares {
  readonly shares: Float64Array;
  readonly places: Int32Array;
}

const K1 = 1.2;
/** Passages that matter: what is further down is found by meaning or not at all. */
const MOST_ROWS = 200;
const REPLACED = 0.7;

/** Words in SQLite's FTS5: a contentless table over passages of 1,500 characters, ranked by its BM25. */
export class Fts5Words {
  readonly db: DatabaseSync;
  private readonly options: Fts5Options;
  private owners: number[] = [];
  private highest = 0;
  private statements: Statements | undefined;

  constructor(path: string, options: Fts5Options) {
    this.db = new DatabaseSync(path);
    this.options = options;
    this.db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
  }

  fill(texts: Iterable<OwnedText>): void {
    const { terms, title: weight, trigrams } = this.options;
    const tokenizer =
      terms === "porter" ? "porter unicode61" : "unicode61 remove_diacritics 0 tokenchars ''.''";
    this.db.exec(`
      CREATE VIRTUAL TABLE f USING fts5(title, body, content = '', contentless_delete = 1, tokenize = '${tokenizer}');
      INSERT INTO f (f, rank) VALUES ('rank', 'bm25(${weight.toFixed(1)}, 1.0)');
      CREATE TABLE passage (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL);
    `);
    if (trigrams)
      this.db.exec(
        "CREATE VIRTUAL TABLE g USING fts5(body, content = '', contentless_delete = 1, tokenize = 'trigram')",
      );
    const insert = this.db.prepare("INSERT INTO f (rowid, title, body) VALUES (?, ?, ?)");
    const own = this.db.prepare("INSERT INTO passage VALUES (?, ?)");
    const grams = trigrams ? this.db.prepare("INSERT INTO g (rowid, body) VALUES (?, ?)") : undefined;
    let id = 0;
    this.db.exec("BEGIN");
    for (const { owner, title, text } of texts) {
      const head = this.indexed(title);
      for (const passage of passagesOf(text)) {
        insert.run(id, head, this.indexed(passage));
        grams?.run(id, `${title}\n${passage}`);
        own.run(id++, owner);
      }
    }
    this.db.exec(`
      COMMIT;
      INSERT INTO f (f) VALUES ('optimize');
      ${trigrams ? "INSERT INTO g (g) VALUES ('optimize');" : ""}
      VACUUM;
      PRAGMA wal_checkpoint(TRUNCATE)
    `);
  }

  shares(query: string): WordShares {
    const { select, similar } = this.open();
    const all = this.wordsOf(query);
    const count = this.owners.length;
    const idf = (has: number): number => Math.max(1e-6, Math.log((count - has + 0.5) / (has + 0.5)));
    const known = all.filter(({ has }) => has > 0).sort((a, b) => a.has - b.has);
    const asked = known.slice(0, this.options.mostTerms);
    const missing = all.filter(({ has }) => has === 0).slice(0, this.options.mostTerms);
    const perfect = (K1 + 1) * [...asked, ...missing].reduce((sum, { has }) => sum + idf(has), 0);
    const found = {
      shares: new Float64Array(this.highest + 1),
      places: new Int32Array(this.highest + 1).fill(-1),
    };
    const add = (place: number, share: number): void => {
      const owner = this.owners[place] ?? 0;
      if (share <= (found.shares[owner] ?? 0)) return;
      found.shares[owner] = share;
      found.places[owner] = place;
    };
    const scores = new Map<number, number>();
    if (asked.length > 0)
      for (const row of select.all(asked.map(({ word }) => `"${word}"`).join(" OR ")))
        scores.set(Number(row["at"]), -Number(row["score"]));
    if (similar !== undefined)
      for (const { word } of missing.slice(0, 3)) {
        const parts = trigramsOf(word);
        if (parts.length === 0) continue;
        const rows = similar.all(parts.map((part) => `"${part}"`).join(" OR "));
        const best = Math.max(1e-9, -Number(rows[0]?.["score"] ?? 0));
        for (const row of rows) {
          const share = (-Number(row["score"]) / best) ** 2 * REPLACED * idf(0) * (K1 + 1);
          scores.set(Number(row["at"]), (scores.get(Number(row["at"])) ?? 0) + share);
        }
      }
    for (const [place, score] of scores) add(place, score / Math.max(perfect, 1e-9));
    return found;
  }

  close(): void {
    this.db.close();
  }

  private open(): Statements {
    if (this.statements !== undefined) return this.statements;
    const ids = this.db.prepare("SELECT json_group_array(owner) AS owners FROM passage").get();
    this.owners = JSON.parse(String(ids?.["owners"])) as number[];
    this.highest = this.owners.reduce((most, one) => Math.max(most, one), 0);
    // FTS5 stems the words of a query itself, and the frequency of a word is kept by stem: a table of one row gives the stems.
    this.db.exec(`
      CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', 'f', 'row');
      CREATE VIRTUAL TABLE temp.q USING fts5(body, tokenize = 'porter unicode61');
      CREATE VIRTUAL TABLE temp.qv USING fts5vocab('temp', 'q', 'instance');
    `);
    this.statements = {
      select: this.db.prepare(
        `SELECT rowid AS at, rank AS score FROM f WHERE f MATCH ? ORDER BY rank LIMIT ${MOST_ROWS}`,
      ),
      frequency: this.db.prepare("SELECT doc FROM temp.v WHERE term = ?"),
      stem: this.db.prepare("SELECT term, offset AS at FROM temp.qv"),
      put: this.db.prepare("INSERT OR REPLACE INTO temp.q (rowid, body) VALUES (1, ?)"),
      similar: this.options.trigrams
        ? this.db.prepare("SELECT rowid AS at, rank AS score FROM g WHERE g MATCH ? ORDER BY rank LIMIT 50")
        : undefined,
    };
    return this.statements;
  }

  /** The words of a query, stop words left out, and how many passages have each. */
  private wordsOf(query: string): { word: string; has: number }[] {
    const { frequency, stem, put } = this.open();
    const has = (term: string): number => Number(frequency.get(term)?.["doc"] ?? 0);
    if (this.options.terms === "ours") return queryTerms(query).map((word) => ({ word, has: has(word) }));
    const words = (
      query
        .slice(0, 10_000)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).filter((word) => !STOP_WORDS.has(word));
    if (words.length === 0) return [];
    const distinct = [...new Set(words)];
    put.run(distinct.join(" "));
    const terms = new Map(stem.all().map((row) => [String(row["term"]), distinct[Number(row["at"])] ?? ""]));
    return [...terms].map(([term, word]) => ({ word, has: has(term) }));
  }

  private indexed(text: string): string {
    if (this.options.terms === "porter") return text;
    const terms: string[] = [];
    eachTerm(text, (term) => terms.push(term));
    return terms.join(" ");
  }
}

interface Statements {
  readonly select: StatementSync;
  readonly frequency: StatementSync;
  readonly stem: StatementSync;
  readonly put: StatementSync;
  readonly similar: StatementSync | undefined;
}

function trigramsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""));
}
