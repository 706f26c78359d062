import type { Database } from "../../../store/sqlite/types.ts";
import { type Kind, lastUnit } from "../indexing/units.ts";
import { MOST_OF_A_TEXT, type Said, type SessionEnd } from "./said.ts";

const BY: Partial<Record<Kind, Said["by"]>> = { u: "user", a: "agent", c: "calls" };

/** The end of a session whose transcript is gone, from the index. */
export function endOfIndexed(db: Database, session: number): SessionEnd {
  const unit = lastUnit(db, session);
  const said = (unit?.passages ?? []).flatMap(([, kind, time, text]): Said[] => {
    const by = BY[kind];
    return by === undefined
      ? []
      : [{ by, text: text.slice(0, MOST_OF_A_TEXT), ...(time !== null && { at: time }) }];
  });
  return { said, edited: [], isWhole: false };
}
