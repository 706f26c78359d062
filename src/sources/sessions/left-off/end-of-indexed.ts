import type { Database } from "../../../store/sqlite/types.ts";
import { type Kind, lastUnit } from "../indexing/units.ts";
import type { SessionSteps } from "../standing/standing.ts";
import { MOST_OF_A_TEXT, type Step } from "../standing/steps.ts";

const BY: Partial<Record<Kind, Step["by"]>> = { u: "user", a: "agent", c: "calls" };

/** The end of a session whose transcript is gone, from the index. */
export function endOfIndexed(db: Database, session: number): SessionSteps {
  const unit = lastUnit(db, session);
  const steps = (unit?.passages ?? []).flatMap(([, kind, time, text]): Step[] => {
    const by = BY[kind];
    return by === undefined
      ? []
      : [{ by, text: text.slice(0, MOST_OF_A_TEXT), ...(time !== null && { at: time }) }];
  });
  return { steps, edited: [], isWhole: false };
}
