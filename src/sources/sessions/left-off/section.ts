import { isRecord } from "../../../base/json.ts";
import { ago } from "../../../base/when.ts";
import type { Section } from "../../../compose/section.ts";
import type { Answer } from "../../../moments/ports/source.ts";
import { priorityOf } from "../../order.ts";

/** Stored in the memo, so that the same text is delivered again after a compaction. */
export interface LeftOff {
  readonly lines: readonly string[];
  /** The indexes of the lines that are delivered only if rules and notes leave room. */
  readonly spare?: readonly number[];
  /** Which of them say more of the first one's session. */
  readonly details?: readonly number[];
  /** The first session's name and time, for the line that the user sees. */
  readonly name: string;
  readonly at: number;
}

export function isLeftOff(value: unknown): value is LeftOff {
  return (
    isRecord(value) &&
    Array.isArray(value["lines"]) &&
    value["lines"].every((line) => typeof line === "string") &&
    (value["spare"] === undefined || Array.isArray(value["spare"])) &&
    (value["details"] === undefined || Array.isArray(value["details"])) &&
    typeof value["name"] === "string" &&
    typeof value["at"] === "number"
  );
}

/** For a session that begins now. */
export function answerWith(leftOff: LeftOff, now: number): Answer {
  return {
    sections: [sectionOf(leftOff, now)],
    remember: (memo) => ({ ...(isRecord(memo) ? memo : {}), leftOff }),
  };
}

/** After a compaction: the same lines as at the start. */
export function leftOffAgain(now: number, memo: unknown): Answer {
  const kept: unknown = isRecord(memo) ? memo["leftOff"] : undefined;
  return isLeftOff(kept) ? { sections: [sectionOf(kept, now)] } : {};
}

function sectionOf({ lines, spare = [], details = [], name, at }: LeftOff, now: number): Section {
  return {
    source: "sessions",
    // The title says at which time this was true, because the text stays while things change.
    title: "Last sessions when this one began (query_session tells more)",
    nature: "reference",
    priority: priorityOf("last sessions"),
    essential: false,
    layout: "lines",
    isChoice: true,
    items: lines.map((text, i) => ({
      // A detail is counted with its session (`itemsInWords`).
      key: details.includes(i) ? `left-off/0/${i}` : `left-off/${i}`,
      name: i === 0 || details.includes(i) ? "last session" : "earlier session",
      text,
      reason: "the last sessions of this project",
      priority: -i,
      isSpare: spare.includes(i),
    })),
    summary: () => `last session "${name}" ${ago(at, now)}`,
  };
}
