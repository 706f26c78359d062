import { sentencesOf } from "../../../search/telling.ts";
import type { Step } from "./steps.ts";

/** A model's own text about where the work stands: the host's summary at a compaction, or a handoff. */
export interface Written {
  readonly goal: readonly string[];
  readonly open: readonly string[];
  /** The state of the work at that time. */
  readonly now: readonly string[];
  readonly decisions: readonly string[];
}

const HANDOFF =
  /^[ \t]*(?:#{1,4}[ \t]+|\*\*)(?:\d+\.\s*)?(?:hand-?off|hand-?over|next steps?|where (?:it|things|we) stands?|current state|remaining(?: work)?|status)\b/im;
/** If more steps follow, its open points may have been done: only its goal and decisions are used. */
const MOST_STEPS_AFTER = 30;

const PARTS: readonly (readonly [keyof Written, RegExp])[] = [
  ["goal", /\b(?:primary request|intent|goal|objective|task|overview|what (?:we|was) asked)\b/i],
  ["open", /\b(?:pending|remaining|next steps?|optional next|todo|to do|open|not done|left)\b/i],
  ["now", /\b(?:current (?:work|state|status)|where (?:it|things|we) stands?|status|in progress|state)\b/i],
  ["decisions", /\b(?:decisions?|key (?:choices|technical)|constraints)\b/i],
];
const MOST_LINES = 4;

/** The newest such text; undefined if there is none. */
export function writtenIn(steps: readonly Step[]): Written | undefined {
  const at = steps.findLastIndex(
    ({ by, text }) => by === "summary" || (by === "agent" && text.length > 400 && HANDOFF.test(text)),
  );
  const text = steps[at]?.text;
  if (text === undefined) return undefined;
  const parts = partsOf(text);
  const isFresh = steps.length - 1 - at <= MOST_STEPS_AFTER;
  const of = (name: keyof typeof parts) => parts[name].slice(0, MOST_LINES);
  return {
    goal: of("goal"),
    decisions: of("decisions"),
    open: isFresh ? of("open") : [],
    now: isFresh ? of("now") : [],
  };
}

/** The lines of a text, by their heading. */
function partsOf(text: string): Record<keyof Written, string[]> {
  const parts = {
    goal: [] as string[],
    open: [] as string[],
    now: [] as string[],
    decisions: [] as string[],
  };
  let into: string[] | undefined;
  for (const line of text.split("\n")) {
    const heading = headingIn(line);
    if (heading !== undefined) {
      const name = PARTS.find(([, pattern]) => pattern.test(heading.title))?.[0];
      into = name && parts[name];
      if (heading.rest !== "") into?.push(...sentencesOf(heading.rest).map((one) => one.text));
      continue;
    }
    into?.push(...sentencesOf(line).map((one) => one.text));
  }
  return parts;
}

/** `## Next steps`, `**Next steps**`, `7. Pending Tasks:`, `Next steps: …` */
function headingIn(line: string): { title: string; rest: string } | undefined {
  const marked =
    /^\s*(?:#{1,6}\s+(.{2,80})|\*\*([^*]{2,80}?):?\*\*:?|\d{1,2}\.\s+([A-Z][\w /,'-]{2,60}):)\s*(.*)$/.exec(
      line,
    );
  if (marked === null) return undefined;
  const [, hash, bold, numbered, rest = ""] = marked;
  return { title: hash ?? bold ?? numbered ?? "", rest };
}
