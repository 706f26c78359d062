import { statSync } from "node:fs";
import type { Database } from "../../../store/sqlite/types.ts";
import type { PastSession, SessionKey } from "../session.ts";
import { rowOf, type SessionRow, sessionOf } from "./rows.ts";
import { unitsOf } from "./units.ts";

/** A longer chain, or a cycle, is an error in some file. */
const MOST = 50;

/** How a session originates from another one, and from which; undefined for an independent session. */
export function originOf({ parent, forkOf, continues }: PastSession): Origin | undefined {
  if (parent !== undefined) return { how: "subagent of", id: parent };
  if (forkOf !== undefined) return { how: "fork of", id: forkOf };
  return continues === undefined ? undefined : { how: "continues", id: continues };
}

export interface Origin {
  readonly how: "subagent of" | "fork of" | "continues";
  /** The session with this id may be unknown here. */
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

/** Sessions of its subagents, its forks and those that continue it, newest first; not their descendants. */
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

/** More sessions share a first turn only if turn ids are not unique. Comparing them all would take long. */
const MOST_MEMBERS = 40;

/**
 * Claude Code's `--fork-session` does not record what it copied, but it copies turns with their ids. Sessions of one
 * host with the same first turn are a family. Within it, a session is a fork of the one that has the last turn which it
 * did not start itself; of several, the oldest.
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

/** A fork contains the times of the copied turns. Only its file's birth time shows that it is younger. */
function birthOf(path: string | null): number {
  return path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0);
}

/**
 * Copied text is searchable only in the session that was indexed first. Before that session is removed, the rest of its
 * family is marked to be read again, if possible.
 */
export function readFamilyAgain(db: Database, session: number): void {
  db.run(
    `UPDATE transcript SET modified = 0, tail = 'read again' WHERE key = '' AND session IN (
       SELECT s.id FROM session s JOIN session one ON one.first_turn = s.first_turn AND one.host = s.host
       WHERE one.id = $session AND s.id <> $session AND s.is_gone = 0)`,
    { session },
  );
}

export interface Kin<S> {
  readonly session: S;
  /** How many generations below the first session of its family. */
  readonly depth: number;
}

/** Sessions grouped by family, in the order of the list: each session is followed by those that originate from it. */
export function familiesOf<S>(
  sessions: readonly S[],
  keyOf: (session: S) => string,
  originOf: (session: S) => string | undefined,
): readonly Kin<S>[][] {
  const known = new Set(sessions.map(keyOf));
  const below = Map.groupBy(sessions, (one) => {
    const origin = originOf(one);
    return origin !== undefined && origin !== keyOf(one) && known.has(origin) ? origin : undefined;
  });
  const done = new Set<S>();
  const familyOf = (first: S): Kin<S>[] => {
    const family: Kin<S>[] = [];
    const open: Kin<S>[] = [{ session: first, depth: 0 }];
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      const { session, depth } = member;
      if (done.has(session)) continue;
      done.add(session);
      family.push(member);
      const next = below.get(keyOf(session)) ?? [];
      open.push(...next.toReversed().map((one) => ({ session: one, depth: depth + 1 })));
    }
    return family;
  };
  // Transcripts that name each other as their origin have no first session.
  return [...(below.get(undefined) ?? []), ...sessions].map(familyOf).filter(({ length }) => length > 0);
}
