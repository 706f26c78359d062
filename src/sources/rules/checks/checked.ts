import type { Section } from "../../../compose/section.ts";
import type { Answer } from "../../../moments/ports/source.ts";
import { forPerson } from "./lines.ts";
import type { CheckMemo } from "./memo.ts";

/** What checks report at a moment, and how their memo changes. */
export interface Checked extends Pick<Answer, "sections" | "notices" | "ledgerEntries" | "verdict"> {
  /** Absent if there is also nothing to report. */
  readonly change?: (memo: CheckMemo) => CheckMemo;
}

export function together(one: Checked, other: Checked): Checked {
  if (one.change === undefined) return other;
  if (other.change === undefined) return one;
  const verdict = one.verdict ?? other.verdict;
  return {
    sections: joined([...(one.sections ?? []), ...(other.sections ?? [])]),
    notices: [...(one.notices ?? []), ...(other.notices ?? [])],
    ledgerEntries: (delivered) =>
      [one, other].flatMap(({ ledgerEntries }) => ledgerEntries?.(delivered) ?? []),
    change: (newest) => [one, other].reduce((memo, { change }) => change?.(memo) ?? memo, newest),
    verdict,
  };
}

/** Lines about broken rules get one title, whichever check found them. */
function joined(sections: readonly Section[]): Section[] {
  const [first, ...others] = sections.filter(({ nature }) => nature === "broken");
  if (first === undefined || others.length === 0) return [...sections];
  const lines = [first, ...others].flatMap(({ items }) => items);
  const items = lines.map((item, i) => ({ ...item, priority: -i }));
  return [{ ...first, items }, ...sections.filter(({ nature }) => nature !== "broken")];
}

/** Nobody reads more lines at one moment, and a repository may have any number of rules. */
export const MOST_SAID = 3;

/** The first notices of a moment, and how many more there are. */
export function withFewNotices<C extends Pick<Checked, "notices">>(checked: C): C {
  const { notices = [] } = checked;
  const more = notices.length - MOST_SAID;
  if (more <= 0) return checked;
  const rest = forPerson(`and ${more} more: continuo rules report`);
  return { ...checked, notices: [...notices.slice(0, MOST_SAID), rest] };
}
