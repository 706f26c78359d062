import { collapse } from "../../../base/text.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { redact } from "../../../store/redact.ts";
import type { ContextOutput, MemoryEngine, RecentOutput, SearchOutput } from "../engine.ts";
import { normaliseConcept } from "../files/wikilinks.ts";

/** What a session start found in the notes. */
interface StartFindings {
  readonly project: string;
  readonly notes: SearchOutput["results"];
  readonly recent: RecentOutput["items"];
  /** All concepts of these notes, most frequent first. */
  readonly concepts: readonly RankedConcept[];
  /** The neighbourhood of the first few concepts. */
  readonly contexts: readonly ContextOutput[];
}

interface RankedConcept {
  readonly name: string;
  /** How many of the found notes name it. */
  readonly notes: number;
}

export interface StartOptions {
  readonly project: string;
  /** The token limit; nothing is looked up beyond it. */
  readonly tokenLimit: number;
  /** How long each call may take. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called only for the first failed call, because all fail for the same reason. */
  onFailure(tool: string, error: unknown): void;
}

/** Tokens of one concept with its neighbours in the full text. */
const TOKENS_PER_CONCEPT = 80;
const MAX_CONCEPTS = 5;

/**
 * Finds notes for a project: those that name it and those of the last day, their concepts, and the neighbours of the
 * most frequent ones. If a call fails or finds nothing, its part is left out.
 */
export async function findForStart(engine: MemoryEngine, options: StartOptions): Promise<StartFindings> {
  const { project } = options;
  const ask = withTimeout(options);
  const [search, recent] = await Promise.all([
    ask("SearchMemories", (signal) =>
      engine.searchMemories({ query: project, mode: "Hybrid", pageSize: 5 }, signal),
    ),
    ask("RecentActivity", (signal) =>
      engine.recentActivity({ timespan: "1.00:00:00", limit: 10, filter: "memory" }, signal),
    ),
  ]);
  const notes = search?.results ?? [];
  const items = recent?.items ?? [];
  const concepts = rankConcepts(notes, items);
  const affordable = Math.floor(options.tokenLimit / TOKENS_PER_CONCEPT);
  const chosen = concepts.slice(0, Math.min(MAX_CONCEPTS, affordable));
  const contexts = await Promise.all(
    chosen.map(({ name }) =>
      ask("BuildContext", (signal) =>
        engine.buildContext({ conceptName: name, depth: 1, maxEntities: 10, includeContent: false }, signal),
      ),
    ),
  );
  return {
    project,
    notes,
    recent: items,
    concepts,
    contexts: contexts.filter((one) => one !== undefined),
  };
}

type Ask = <T>(tool: string, call: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;

function withTimeout({ timeoutMs, signal, onFailure }: StartOptions): Ask {
  let hasFailed = false;
  return async (tool, call) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      return await Promise.race([call(either), whenAborted(either)]);
    } catch (error) {
      if (!hasFailed) onFailure(tool, timeout.aborted ? `no answer within ${timeoutMs} ms` : error);
      hasFailed = true;
      return undefined;
    }
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

type Found = { readonly uri: string; readonly concepts: readonly string[] };

/**
 * Each note counts once, even if it was found twice. Equally frequent concepts keep the order in which they were found.
 */
export function rankConcepts(...lists: readonly (readonly Found[])[]): RankedConcept[] {
  const counts = new Map<string, number>();
  for (const { concepts } of distinct(lists.flat())) {
    for (const name of new Set(concepts.map(normaliseConcept))) {
      if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].map(([name, notes]) => ({ name, notes })).sort((a, b) => b.notes - a.notes);
}

export function distinct<T extends { readonly uri: string }>(notes: readonly T[]): T[] {
  return [...new Map(notes.map((note) => [note.uri, note])).values()];
}

/** Joins the lines; if the text is too long, the last lines are replaced by a notice. */
export function withinTokens(lines: readonly string[], limit: number, notice: string): string {
  let text = lines.join("\n");
  if (countTokens(text) <= limit) return text;
  const kept = [...lines];
  do {
    kept.pop();
    text = [...kept, "", notice].join("\n");
  } while (kept.length > 0 && countTokens(text) > limit);
  return kept.length === 0 ? "" : text;
}

const MOST_POINTERS = 5;

/** Titles with addresses: all that is known about another program's notes. */
export function pointers({ notes }: StartFindings): { readonly uri: string; readonly text: string }[] {
  return notes.slice(0, MOST_POINTERS).map((note) => ({ uri: note.uri, text: pointerTo(note) }));
}

/** All results, in maenifold's sections. Empty if there are none. */
export function fullText(found: StartFindings, limit: number): string {
  const { project, notes, recent, concepts, contexts } = found;
  if (notes.length === 0 && recent.length === 0) return "";
  const listed = new Set(recent.map(({ uri }) => uri));
  const others = notes.filter(({ uri }) => !listed.has(uri));
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`**${title}:**`, ...lines, ""];
  const lines = [
    "## Knowledge Graph Context",
    "",
    "Notes of this project, and what changed recently.",
    "",
    `### Project: ${plain(project)}`,
    "",
    ...block(
      "Related Concepts",
      concepts
        .slice(0, 10)
        .map(({ name, notes: count }) => `- [[${plain(name)}]] - ${count} ${count === 1 ? "note" : "notes"}`),
    ),
    ...block("Related Notes", others.map(noteLine)),
    ...block("Recent Activity (last 24h)", recent.map(noteLine)),
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

function pointerTo({ title, uri }: { readonly title: string; readonly uri: string }): string {
  return `${plain(title)} (${uri})`;
}

function noteLine(note: { readonly title: string; readonly uri: string }): string {
  return `- ${pointerTo(note)}`;
}

const LONGEST = 80;

/** A title may contain anything: makes it one short line without secrets. */
function plain(text: string): string {
  const line = collapse(redact(text));
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}
