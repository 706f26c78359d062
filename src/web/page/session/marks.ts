import type { Outline, OutlineMark } from "../../api/conversation.ts";
import { clock, count } from "../core/format.ts";

/**
 * How many places the bar has. Marks close to each other share one: more could be neither distinguished nor clicked.
 */
export const PLACES = 40;

/** The kinds, most important first. */
const KINDS: Readonly<Record<OutlineMark["kind"], readonly [one: string, many: string]>> = {
  broken: ["broken rule", "broken rules"],
  error: ["error", "errors"],
  compaction: ["compaction", "compactions"],
  failed: ["failed call", "failed calls"],
};
const ORDER = Object.keys(KINDS) as OutlineMark["kind"][];

export interface MarkPlace {
  /** From 0 to `PLACES` - 1. */
  readonly at: number;
  readonly kind: OutlineMark["kind"];
  readonly marks: readonly OutlineMark[];
  readonly label: string;
}

export function placesOf({ marks, turns }: Outline): readonly MarkPlace[] {
  const places = new Map<number, OutlineMark[]>();
  for (const mark of marks) {
    const at = Math.floor((mark.place / Math.max(1, turns)) * PLACES);
    places.set(at, [...(places.get(at) ?? []), mark]);
  }
  return [...places].map(([at, of]) => ({ at, marks: of, kind: worstOf(of), label: labelOf(of) }));
}

const worstOf = (marks: readonly OutlineMark[]): OutlineMark["kind"] =>
  ORDER.find((kind) => marks.some((mark) => mark.kind === kind)) ?? "failed";

function labelOf(marks: readonly OutlineMark[]): string {
  const [only] = marks;
  if (only !== undefined && marks.length === 1) {
    const time = only.at === undefined ? "" : `${clock(only.at)} `;
    const about = only.kind === "compaction" || only.text === "" ? "" : `: ${only.text}`;
    return `${time}${KINDS[only.kind][0]}${about}`;
  }
  return ORDER.flatMap((kind) => {
    const n = marks.filter((mark) => mark.kind === kind).length;
    return n === 0 ? [] : [count(n, ...KINDS[kind])];
  }).join(", ");
}

export const isSame = (a: OutlineMark, b: OutlineMark | undefined): boolean =>
  a.turn === b?.turn && a.kind === b.kind;

/** The mark after (or before) another one, or a time. */
export function nextMark(
  { marks }: Outline,
  from: OutlineMark | number | undefined,
  step: 1 | -1,
): OutlineMark | undefined {
  if (from === undefined) return step === 1 ? marks[0] : marks.at(-1);
  if (typeof from !== "number") return marks[marks.findIndex((one) => isSame(one, from)) + step];
  const isPast = ({ at }: OutlineMark) => at !== undefined && (step === 1 ? at > from : at < from);
  return step === 1 ? marks.find(isPast) : marks.findLast(isPast);
}

/** The position of a time in the conversation, from 0 to 1: interpolated between turns with known positions. */
export function shareAt({ marks, prompts, turns }: Outline, at: number): number | undefined {
  const known = [
    ...marks.flatMap((mark) => (mark.at === undefined ? [] : [{ at: mark.at, place: mark.place }])),
    ...prompts.flatMap((one) => (one.at === undefined ? [] : [{ at: one.at, place: one.place }])),
  ].sort((a, b) => a.place - b.place);
  const before = known.findLast((one) => one.at <= at);
  const after = known.find((one) => one.at > at);
  if (before === undefined) return known.length === 0 ? undefined : 0;
  const end = after ?? { at: before.at, place: turns };
  const part = end.at === before.at ? 0 : (at - before.at) / (end.at - before.at);
  return (before.place + part * (end.place - before.place)) / Math.max(1, turns);
}
