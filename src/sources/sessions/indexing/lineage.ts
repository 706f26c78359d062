import { statSync } from "node:fs";
import type { Database } from "../../../store/sqlite/types.ts";
import type { PastSession, SessionKey } from "../session.ts";
import { rowOf, type SessionRow, sessionOf } from "./rows.ts";
import { unitsOf } from "./units.ts";

/** A chain longer than this, or one that comes back to itself, is a mistake in some file. */
const MOST = 50;

/** How a session comes from another one, and which that is; undefined for one that began by itself. */
export function originOf({ parent, forkOf, continues }: PastSession): Origin | undefined {
  if (parent !== undefined) return { how: "subagent of", id: parent };
  if (forkOf !== undefined) return { how: "fork of", id: forkOf };
  return continues === undefined ? undefined : { how: "continues", id: continues };
}

export interface Origin {
  readonly how: "subagent of" | "fork of" | "continues";
  /** Of a session that may not be known here. */
  readonly id: string;
}

/** Nearest first. */
export function ancestorsOf(db: Database, key: SessionKey): PastSession[] {
  const found: PastSession[] = [];
  const seen = new Set([key.id]);
  let row = rowOf(db, key);
  while (row !== undefined && found.length < MOST) {
    const id = row.parent ?? row.fork_of ?? row.continues;
    if (id === null || seen.has(id)) break;
    seen.add(id);
    row = rowOf(db, { host: row.host, id });
    if (row !== undefined) found.push(sessionOf(row));
  }
  return found;
}

/** Its subagents' sessions, its forks and those that go on with it, the newest first; not theirs in turn. */
export function descendantsOf(db: Database, { host, id }: SessionKey): PastSession[] {
  const ids = db.all<Pick<SessionRow, "sid">>(
    "SELECT sid FROM session WHERE host = $host AND (parent = $id OR fork_of = $id OR continues = $id) ORDER BY modified DESC",
    { host, id },
  );
  return ids.flatMap(({ sid }) => {
    const row = sid === id ? undefined : rowOf(db, { host, id: sid });
    return row === undefined ? [] : [sessionOf(row)];
  });
}

/** More have their first turn in common only where ids are no ids; comparing them all would take long. */
const MOST_MEMBERS = 40;

/**
 * Claude Code's `--fork-session` tells nowhere what it copied, but copies turns with their ids: sessions of one host that
 * have the same first turn are a family. In it a session was made of the one that has the last turn which it did not begin
 * itself; where several have that turn, of the oldest.
 */
export function relateFamily(db: Database, session: number): void {
  const members = db.all<Member>(
    `SELECT s.id, s.sid, s.started, s.is_fork_told, s.family,
       (SELECT path FROM transcript WHERE session = s.id ORDER BY path LIMIT 1) AS path
     FROM session s JOIN session one ON one.first_turn = s.first_turn AND one.host = s.host
     WHERE one.id = ? AND s.is_child = 0`,
    [session],
  );
  const isKnown = members.every(({ family }) => family === members.length);
  if (members.length < 2 || members.length > MOST_MEMBERS || isKnown) return;
  const born = new Map(members.map(({ id, path }) => [id, birthOf(path)]));
  const eldest = [...members].sort(
    (a, b) => a.started - b.started || (born.get(a.id) ?? 0) - (born.get(b.id) ?? 0) || a.id - b.id,
  );
  const elders: { readonly sid: string; readonly turns: ReadonlySet<string> }[] = [];
  for (const { id, sid, is_fork_told } of eldest) {
    const turns = turnsIn(db, id);
    const shared = [...turns].findLast((turn) => elders.some((elder) => elder.turns.has(turn)));
    const origin = shared === undefined ? undefined : elders.find((elder) => elder.turns.has(shared));
    db.run("UPDATE session SET family = ? WHERE id = ?", [members.length, id]);
    if (is_fork_told === 0) db.run("UPDATE session SET fork_of = ? WHERE id = ?", [origin?.sid ?? null, id]);
    elders.push({ sid, turns });
  }
}

interface Member {
  readonly id: number;
  readonly sid: string;
  readonly started: number;
  readonly is_fork_told: number;
  readonly family: number;
  readonly path: string | null;
}

function turnsIn(db: Database, session: number): Set<string> {
  const turns = new Set<string>();
  for (const { passages } of unitsOf(db, session)) for (const [turn] of passages) turns.add(turn);
  return turns;
}

/** A fork begins with the times of what it copied: then only its file tells that it is the younger one. */
function birthOf(path: string | null): number {
  return path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0);
}

/**
 * What a session had from this one is found only here, as long as this one is there. It is about to go: the others of its
 * family are read again, as far as they can be.
 */
export function readFamilyAgain(db: Database, session: number): void {
  db.run(
    `UPDATE transcript SET modified = 0, tail = 'read again' WHERE key = '' AND session IN (
       SELECT s.id FROM session s JOIN session one ON one.first_turn = s.first_turn AND one.host = s.host
       WHERE one.id = $session AND s.id <> $session AND s.is_gone = 0)`,
    { session },
  );
}
