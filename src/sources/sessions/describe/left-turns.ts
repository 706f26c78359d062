import type { Database } from "../../../store/sqlite/types.ts";
import type { HistoryHost } from "../../../transcripts/reader.ts";
import type { SessionRow } from "../rows.ts";
import { turnsOf } from "../turns.ts";

/** Hosts in which one can go back and on from there in the same session. */
const BRANCHING: ReadonlySet<HistoryHost> = new Set(["pi", "gemini"]);
/** Reading a transcript blocks the host: past this a record may tell of a way that was left. */
const LARGEST = 64 * 1024 * 1024;

/** The turns of branches that the session has left. The index keeps them, to be found; a record tells what holds. */
export function leftTurns(db: Database, { host, sid, is_gone, size }: SessionRow): ReadonlySet<string> {
  const left = new Set<string>();
  if (!BRANCHING.has(host) || is_gone === 1 || (size ?? 0) > LARGEST) return left;
  for (const { id, marks } of turnsOf(db, { host, id: sid })) if (marks.otherBranch) left.add(id);
  return left;
}
