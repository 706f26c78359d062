import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Database } from "../../../src/store/sqlite/types.ts";

/** A ledger line as hosts write it; every `n` gives another one. */
export function delivery(n: number, items = 2): string {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const keys = Array.from({ length: items }, (_, index) => ({
    source: "rules",
    key: `rule-${index}.md`,
    title: `Rule ${index} — ${n} 🙂`,
    reason: "always",
    tokens: 10 + index,
  }));
  const what = n % 3 === 0 ? "snapshot" : "addition";
  const head = { v: 1, at, kind: "delivered", host: "opencode", session: `ses_${n % 5}`, project: "/p" };
  return JSON.stringify({ ...head, epoch: 1, what, tokens: 50, fingerprint: "ab".repeat(32), items: keys });
}

export function deliveries(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `${delivery(from + index)}\n`).join("");
}

export type Row = readonly (string | number | null)[];

/** Every row the index holds, in ledger order. */
export function rowsOf(db: Database): Row[] {
  const sql = `
    SELECT f.name, d.offset, at, host, session, project, epoch, kind, source, item, title, reason, tokens, cost, fingerprint
    FROM delivery AS d JOIN ledger_file AS f ON f.id = d.file ORDER BY f.name, d.offset, d.id`;
  return db.all<Record<string, string | number | null>>(sql).map((row) => Object.values(row));
}

/** The oracle: the same rows straight from the files, in one go and without any of the code under test. */
export function rowsInLedger(dir: string): Row[] {
  const names = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
  return names.sort().flatMap((name) => rowsInFile(name, readFileSync(path.join(dir, name))));
}

function rowsInFile(name: string, bytes: Buffer): Row[] {
  const rows: Row[] = [];
  let start = 0;
  for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", start)) {
    const entry = parse(bytes.toString("utf8", start, end));
    for (const item of entry?.items ?? []) {
      const { at, host, session, project, epoch, what, tokens, fingerprint } = entry ?? {};
      const { source, key, title, reason } = item;
      const offset = start;
      rows.push([
        name,
        offset,
        at,
        host,
        session,
        project,
        epoch,
        what,
        source,
        key,
        title,
        reason,
        item.tokens,
        tokens,
        fingerprint,
      ]);
    }
    start = end + 1;
  }
  return rows;
}

// biome-ignore lint/suspicious/noExplicitAny: the oracle trusts what the generator wrote
function parse(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    // What a truncation left of a line, or two lines it fused.
    return undefined;
  }
}
