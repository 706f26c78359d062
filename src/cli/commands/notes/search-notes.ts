import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import { preferenceNotice } from "../../../sources/memory/ports/search-memories.ts";
import type { SeenFrom } from "../../../sources/memory/search/project-notes.ts";
import type { Hit, SearchQuery } from "../../../sources/memory/search/search.ts";
import type { Input } from "../../command.ts";
import { highlighted } from "../../terminal/highlight.ts";
import { matchText } from "../../terminal/match-text.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import type { Group } from "./search-group.ts";
import { hasNotes, NO_NOTES, searchFresh, withMemory } from "./with-memory.ts";

/** Characters of a title: a heading may have megabytes. */
const MAX_TITLE = 200;

export interface FoundNotes {
  readonly total: number;
  readonly notices: readonly string[];
  readonly results: readonly object[];
}

/** The notes that match. */
export function findNotes(
  input: Input,
  request: SearchQuery & { readonly seenFrom?: SeenFrom },
): Promise<Group<FoundNotes>> {
  return withMemory(input, async (memory) => {
    const { hits, total, notices, words } = await searchFresh(input, memory, request);
    for (const notice of notices) input.tell?.(`continuo: ${notice}`);
    const isEmpty = total === 0 && !hasNotes(memory);
    const first = hits[0];
    return {
      title: "Notes",
      total,
      found: hits.map((hit) => noteLines(input, hit, words)),
      remarks: preferenceNotice(hits, request.seenFrom, "--all-projects searches all alike").map(oneLine),
      nothing: isEmpty ? NO_NOTES : "No matching notes.",
      isEmpty,
      step: first && [`continuo read ${commandWord(first.uri)}`, "Read the first note"],
      // Not computed for people: concepts are read from the texts.
      get data() {
        return { total, notices, results: hits.map(hitToJson) };
      },
    };
  });
}

function hitToJson({ modified, ...hit }: Hit) {
  return { ...hit, modified: new Date(modified).toISOString() };
}

/** Title, address, age, why it was found, and the passage, with the words that matched highlighted. */
function noteLines(
  { screen = PLAIN, now }: Pick<Input, "screen" | "now">,
  hit: Hit,
  words: readonly string[],
): string[] {
  const { title, uri, modified, snippet } = hit;
  const paint = paintFor(screen);
  const fold = (line: string) => wrapOn(line, screen);
  return [
    fold(
      `  ${highlighted(paint, clipWithin(oneLine(title), MAX_TITLE), words, (text) => paint("bold", text))}`,
    ),
    fold(`    ${paint("dim", `${oneLine(uri)}, ${ago(modified, now())}; ${matchText(hit)}`)}`),
    ...passageLines(title, snippet).map((line) => fold(`    ${highlighted(paint, line, words)}`)),
  ];
}

/** A note that begins with its title as a heading would show it twice. */
function passageLines(title: string, snippet: string): string[] {
  const passage = oneLine(snippet);
  const heading = `# ${oneLine(title)} `;
  const rest = passage.startsWith(heading) ? passage.slice(heading.length) : passage;
  return rest === "" ? [] : [rest];
}
