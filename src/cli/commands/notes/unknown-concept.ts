import { oneLine } from "../../../base/for-terminal.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { countsOf } from "./counts.ts";
import { NO_NOTES } from "./no-notes.ts";

const NEAR = 0.3;

/** What to say about a concept that stands with no other: perhaps it is written another way. */
export async function unknownConcept(memory: Memory, concept: string): Promise<string> {
  if (countsOf(memory).notes === 0) return NO_NOTES;
  const near = (await memory.similar(concept, 3)).filter(({ similarity }) => similarity >= NEAR);
  const names = near.map(({ name }) => `[[${oneLine(name)}]]`).join(", ");
  return `No note names [[${oneLine(concept)}]] together with another concept.${names === "" ? "" : ` Did you mean ${names}?`}`;
}
