import { DatabaseSync } from "node:sqlite";
import { queryTerms } from "../../src/search/words.ts";
import type { SessionFilter, Sessions } from "../../src/sources/sessions/library.ts";
import { printTable, quantiles } from "../measure.ts";
import { projectFolder } from "./histories.ts";

const ROUNDS = 20;
const QUERIES = [
  "compaction loses the summary",
  "theme colors for tool output",
  "why does the test fail",
  "push and open a pull request",
  "checkpoint list session id",
  "xterm scrollback tmux",
  "read main.ts and the tui renderer",
  "fix the error in the parser and run the tests again",
  "beads",
  "agent session branch commit message file tool result error code",
];
const PROJECT: SessionFilter = { project: projectFolder(0) };

interface Search {
  readonly name: string;
  readonly target?: string;
  readonly before?: () => void;
  readonly run: (query: string) => unknown;
}

/**
 * Searches all sessions and one project: Continuo with the passages of ten hits, and the ranking of a plain FTS5,
 * interleaved. `touch` writes to the index, so that caches between searches must be rebuilt.
 */
export function searching(sessions: Sessions, touch: () => void): void {
  // Searches of an index that has no words are fast and mean nothing: a stale build may have written it.
  for (const query of QUERIES)
    if (sessions.search(query).hits.length === 0)
      throw new Error(`nothing is found for "${query}": build dist/ from these sources, then measure again`);
  const plain = plainFts(sessions);
  const searches: readonly Search[] = [
    { name: "all sessions", target: "10, 40", run: (query) => sessions.search(query) },
    { name: "one project", target: "–, 5", run: (query) => sessions.search(query, PROJECT) },
    { name: "all sessions, after a write", before: touch, run: (query) => sessions.search(query) },
    { name: "FTS5, all passages", run: plain.all },
    { name: "FTS5, one project", run: plain.project },
  ];
  const cases = searches.map((one) => ({ ...one, wall: [] as number[], cpu: [] as number[] }));
  for (let round = -2; round < ROUNDS; round++) {
    for (const query of QUERIES) {
      for (const { before: prepare, run, wall, cpu } of cases) {
        prepare?.();
        const before = process.cpuUsage();
        const begun = performance.now();
        run(query);
        const took = performance.now() - begun;
        const { user, system } = process.cpuUsage(before);
        if (round < 0) continue;
        wall.push(took);
        cpu.push((user + system) / 1000);
      }
    }
  }
  const pair = (sample: readonly number[]): string =>
    quantiles(sample, [0.5, 0.95])
      .map((ms) => ms.toFixed(1))
      .join(", ");
  const size = (filter: SessionFilter): number =>
    sessions.list({ ...filter, children: true }).reduce((sum, { counts }) => sum + counts.passages, 0);
  console.log(
    `${size({})} passages in all, ${size(PROJECT)} in the one project; ${QUERIES.length} queries.\n`,
  );
  printTable(
    ["search", "n", "wall p50, p95 (ms)", "CPU p50, p95 (ms)", "target"],
    cases.map(({ name, target = "", wall, cpu }) => [name, wall.length, pair(wall), pair(cpu), target]),
  );
}

interface Plain {
  all(query: string): void;
  project(query: string): void;
}

/** The same passages in SQLite's full-text index: the ten best, without their texts. */
function plainFts(sessions: Sessions): Plain {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE f USING fts5(body, tokenize = 'porter unicode61', content = '')");
  db.exec("CREATE TABLE passage (id INTEGER PRIMARY KEY, project TEXT NOT NULL)");
  const add = db.prepare("INSERT INTO f (rowid, body) VALUES (?, ?)");
  const own = db.prepare("INSERT INTO passage VALUES (?, ?)");
  let id = 0;
  db.exec("BEGIN");
  for (const session of sessions.list()) {
    for (const { text } of sessions.allPassages(session)) {
      add.run(++id, text);
      own.run(id, session.cwd ?? "");
    }
  }
  db.exec("COMMIT");
  const all = db.prepare("SELECT rowid, rank FROM f WHERE f MATCH ? ORDER BY rank LIMIT 10");
  const some = db.prepare(
    `SELECT f.rowid, rank FROM f JOIN passage ON passage.id = f.rowid
     WHERE f MATCH ? AND project = ? ORDER BY rank LIMIT 10`,
  );
  const expression = (query: string): string =>
    queryTerms(query)
      .map((term) => `"${term}"`)
      .join(" OR ");
  return {
    all: (query) => void all.all(expression(query)),
    project: (query) => void some.all(expression(query), projectFolder(0)),
  };
}
