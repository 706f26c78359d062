import type { Database } from "../sqlite/types.ts";
import type { DeliveredItem } from "./ledger-line.ts";
import type { Position } from "./ledger-slice.ts";

/** A ledger file as far as the index has it. */
export interface Known extends Position {
  readonly id: number;
  readonly name: string;
}

export function knownFiles(db: Database): Known[] {
  return db.all<Known>("SELECT id, name, offset, tail FROM ledger_file");
}

export function knownFile(db: Database, name: string): Known | undefined {
  return db.get<Known>("SELECT id, name, offset, tail FROM ledger_file WHERE name = ?", [name]);
}

/** With its rows. Only as we saw it: if another process has begun it anew, that stays. */
export function forget(db: Database, { id, offset, tail }: Known): void {
  db.run("DELETE FROM ledger_file WHERE id = ? AND offset = ? AND tail = ?", [id, offset, tail]);
}

const INSERT_DELIVERY = `
  INSERT INTO delivery
    (file, offset, at, host, session, project, epoch, kind, source, item, title, reason, tokens, cost, fingerprint)
  VALUES
    ($file, $offset, $at, $host, $session, $project, $epoch, $kind, $source, $item, $title, $reason, $tokens,
     $cost, $fingerprint)`;

export function addItem(db: Database, file: number, offset: number, item: DeliveredItem): number {
  return db.run(INSERT_DELIVERY, { file, offset, ...item }).changes;
}

export function saveFile(db: Database, file: { name: string; size: number } & Position): number {
  const sql = `
    INSERT INTO ledger_file (name, size, offset, tail) VALUES ($name, $size, $offset, $tail)
    ON CONFLICT (name) DO UPDATE SET size = excluded.size, offset = excluded.offset, tail = excluded.tail
    RETURNING id`;
  const { name, size, offset, tail } = file;
  const saved = db.get<{ id: number }>(sql, { name, size, offset, tail });
  if (saved === undefined) throw new Error("an upsert returned no row");
  return saved.id;
}
