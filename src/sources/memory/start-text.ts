import { clip, collapse } from "../../base/text.ts";
import { redact } from "../../store/redact.ts";
import { type StartFindings, withinTokens } from "./session-start.ts";

/** A part of what is told, whole or not at all. */
export interface StartPart {
  readonly key: string;
  readonly name: string;
  readonly text: string;
  readonly reason: string;
}

/** At a start nobody has asked anything yet: handles to what there is are of use, contents are a guess. */
const POINTER_TOKENS = 350;
const NOTES_SHOWN = 5;
const RECENT_SHOWN = 4;
const CONCEPTS_SHOWN = 5;
const NEIGHBOURS_SHOWN = 4;
const MORE = "… more: search_memories";

/** Where to look: titles with addresses, concepts with their neighbours. Each part can stand alone. */
export function pointers({ project, notes, recent, contexts }: StartFindings): StartPart[] {
  const shown = notes.slice(0, NOTES_SHOWN);
  const listed = new Set(shown.map(({ uri }) => uri));
  const others = recent.filter(({ uri }) => !listed.has(uri)).slice(0, RECENT_SHOWN);
  const around = contexts
    .filter(({ relatedConcepts }) => relatedConcepts.length > 0)
    .slice(0, CONCEPTS_SHOWN);
  const third = Math.floor(POINTER_TOKENS / 3);
  const part = (key: string, name: string, reason: string, lines: readonly string[], limit: number) => ({
    key,
    name,
    reason,
    text: withinTokens(lines, limit, MORE),
  });
  const parts: StartPart[] = [];
  if (shown.length > 0) {
    const lines = [...shown.map(handle), "Open one with read_memory; find more with search_memories."];
    parts.push(part("notes", `notes about ${project}`, "found by the project's name", lines, third + 20));
  }
  if (others.length > 0) {
    parts.push(
      part("recent", "notes of the last 24 hours", "changed lately", others.map(handle), third - 10),
    );
  }
  // Around what somebody else's project is about there is nothing to explore.
  if (around.length > 0 && shown.length > 0) {
    const lines = around.map(
      ({ concept, relatedConcepts }) =>
        `- ${plain(concept)}: ${relatedConcepts
          .slice(0, NEIGHBOURS_SHOWN)
          .map(({ name }) => plain(name))
          .join(", ")}`,
    );
    const name = "concepts and their neighbours, for build_context";
    parts.push(part("concepts", name, "the most frequent in these notes", lines, third - 10));
  }
  return parts.filter(({ text }) => text !== "");
}

/** Everything that was found, in the sections that programs of this kind are used to. Empty when nothing was found. */
export function fullText(found: StartFindings, limit: number): string {
  const { project, notes, recent, concepts, contexts } = found;
  if (notes.length === 0 && recent.length === 0) return "";
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`**${title}:**`, ...lines, ""];
  const lines = [
    "## Knowledge Graph Context",
    "",
    "Found in the user's notes by this project's name and by what changed lately.",
    "",
    `### Project: ${plain(project)}`,
    "",
    ...block(
      "Related Concepts",
      concepts
        .slice(0, 10)
        .map(({ name, notes: count }) => `- [[${plain(name)}]] - ${count} ${count === 1 ? "note" : "notes"}`),
    ),
    ...block("Related Notes", notes.map(handle)),
    ...block("Recent Activity (last 24h)", recent.map(handle)),
    ...block(
      "Graph Connections",
      contexts
        .filter(({ relatedConcepts }) => relatedConcepts.length > 0)
        .map(
          ({ concept, relatedConcepts }) =>
            `- [[${plain(concept)}]] → ${relatedConcepts.map(({ name }) => `[[${plain(name)}]]`).join(", ")}`,
        ),
    ),
    "---",
    "*`read_memory` opens a note, `build_context` goes further from a concept.*",
  ];
  return withinTokens(lines, limit, "*[Shortened to the token limit. `search_memories` finds the rest.]*");
}

function handle({ title, uri }: { readonly title: string; readonly uri: string }): string {
  return `- ${plain(title)} (${uri})`;
}

const LONGEST = 80;

/** One line, not a long one, and no secret: a title may be anything. */
function plain(text: string): string {
  return clip(collapse(redact(text)), LONGEST);
}
