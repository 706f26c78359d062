import { withDeadline } from "../../base/deadline.ts";
import { countTokens } from "../../compose/tokens.ts";
import type { ContextOutput, MemoryEngine, RecentOutput, SearchOutput } from "./engine-port.ts";
import { normaliseConcept } from "./notes/concept.ts";

/** What a session start found in the notes. */
export interface StartFindings {
  readonly project: string;
  readonly notes: SearchOutput["results"];
  readonly recent: RecentOutput["items"];
  /** All concepts of those notes, the most frequent first. */
  readonly concepts: readonly RankedConcept[];
  /** Around the first few of them. */
  readonly contexts: readonly ContextOutput[];
}

export interface RankedConcept {
  readonly name: string;
  /** How many of the notes found name it. */
  readonly notes: number;
}

export interface StartOptions {
  readonly project: string;
  /** No more is looked up than could be told within it. */
  readonly tokenLimit: number;
  /** How long each call may take. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Told of the first call that failed, and of no other: they fail for one reason. */
  onTrouble(tool: string, error: unknown): void;
}

/** What one concept with its neighbours costs in the longest rendering. */
const TOKENS_PER_CONCEPT = 80;
const MOST_CONCEPTS = 5;

/**
 * Asks what the notes have for a project: those that name it and those of the last day, the concepts that they share,
 * and what surrounds the most frequent ones. A call that fails or finds nothing leaves a gap, not a failure.
 */
export async function findForStart(engine: MemoryEngine, options: StartOptions): Promise<StartFindings> {
  const { project } = options;
  const ask = callsWithin(options);
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
  const chosen = concepts.slice(0, Math.min(MOST_CONCEPTS, affordable));
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

function callsWithin({ timeoutMs, signal, onTrouble }: StartOptions): Ask {
  let hasFailed = false;
  return async (tool, call) => {
    let isLate = false;
    const late = () => {
      isLate = true;
      return new Error(`no answer within ${timeoutMs} ms`);
    };
    try {
      return await withDeadline(timeoutMs, late, call, signal);
    } catch (error) {
      if (!hasFailed) onTrouble(tool, isLate ? `no answer within ${timeoutMs} ms` : error);
      hasFailed = true;
      return undefined;
    }
  };
}

type Found = { readonly uri: string; readonly concepts: readonly string[] };

/** Each note counts once, also when it was found twice. Of equally frequent concepts the one met first comes first. */
export function rankConcepts(...lists: readonly (readonly Found[])[]): RankedConcept[] {
  const counts = new Map<string, number>();
  for (const { concepts } of distinct(lists.flat())) {
    for (const name of new Set(concepts.map(normaliseConcept))) {
      if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].map(([name, notes]) => ({ name, notes })).sort((a, b) => b.notes - a.notes);
}

function distinct<T extends { readonly uri: string }>(notes: readonly T[]): T[] {
  return [...new Map(notes.map((note) => [note.uri, note])).values()];
}

/** A text of lines, of which the last are left out until it fits; then it says so. */
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
