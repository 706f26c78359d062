import { isRecord } from "../../../base/json.ts";
import { count } from "../../../base/when.ts";
import type { Item, Section } from "../../../compose/section.ts";
import type { Answer } from "../../../moments/ports/source.ts";
import { priorityOf } from "../../order.ts";

/** A note's line in the list of a start, without a mark before it. */
export interface StartLine {
  readonly uri: string;
  readonly text: string;
  /** If the line is all that the note says (`lead.ts`). */
  readonly whole?: string;
}

const MAX_TOLD = 20;

/** The notes that this session was told of at its start. */
export const toldIn = (memo: unknown): readonly string[] => textsIn(memo, "told");

/** What would be added of those that were told whole. */
export const wholeIn = (memo: unknown): readonly string[] => textsIn(memo, "whole");

function textsIn(memo: unknown, key: "told" | "whole"): readonly string[] {
  const texts = isRecord(memo) ? memo[key] : undefined;
  return Array.isArray(texts) ? texts.filter((one) => typeof one === "string").slice(0, MAX_TOLD) : [];
}

export function listAnswer(list: readonly StartLine[]): Answer {
  if (list.length === 0) return {};
  return {
    sections: [listSection(list)],
    remember: (memo) => ({
      ...(isRecord(memo) ? memo : {}),
      told: list.map(({ uri }) => uri),
      whole: list.flatMap(({ whole }) => whole ?? []),
    }),
  };
}

export function listSection(lines: readonly StartLine[]): Section {
  const reason = "notes of this project: the most useful first, by use, age and what they say";
  const items = lines.map(({ uri, text }, i) => ({ key: uri, name: uri, text, reason, priority: -i }));
  const title = "Project notes (read_memory by title)";
  return {
    ...memorySection(title, items, priorityOf("notes at a start")),
    layout: "lines",
    isChoice: true,
    summary: (delivered) => count(delivered, "note"),
  };
}

export function memorySection(title: string, items: readonly Item[], priority: number): Section {
  return { source: "memory", title, nature: "reference", priority, essential: false, items };
}
