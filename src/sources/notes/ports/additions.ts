import type { Item } from "../../../compose/section.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { parseQuery } from "../../../search/query/parse.ts";
import { redact } from "../../../store/redact.ts";
import type { Memory } from "../memory.ts";
import type { Relation, SeenFrom } from "../search/project-notes.ts";
import type { Hit } from "../search/search.ts";

/** Shorter prompts ("go on", "yes, do it") have no topic. */
const MIN_TERMS = 3;
const MAX_NOTES = 3;
/** As many as a hook compares anyway. */
const LOOKED_AT = 8;
/** How many notes are examined if the best ones are copies of each other. */
const MOST_COPIES = 20;

/**
 * A note is added to a prompt if it is near in meaning and stands out: from the notes that are not added, and, if it is
 * one of this project, from the project's other notes. Most prompts have a nearest note, but few have one that is much
 * nearer than the others. The sum is the logarithm of the odds that the note is the right one, fitted on the
 * development half of the questions and prompts of `npm run bench -- additions` (docs/design/meaning.md).
 */
const OWN_ODDS = { base: -6, cosine: 7.5, standout: 7.25, standoutInProject: 4.75 };
const ODDS = { base: -9.9, cosine: 12.9, standout: 12.5, standoutInProject: 0 };
const MOST_STANDOUT = 0.35;
/** The minimum strength of the background that a note must stand out from, for a store with few notes. */
const LEAST_BACKGROUND = 0.2;

/**
 * The minimum odds for a note, by its relation to the project: a note of another project must be much nearer. Chosen on
 * the development half: at most 10 % of the prompts about other topics of the project get a note, and at most 5 % of
 * other projects' prompts.
 */
const LEAST_ODDS: Readonly<Record<Relation, number>> = {
  own: -0.5,
  unknown: -0.7,
  global: -0.7,
  other: 1,
};
/** Without a table of meaning, only words count, so a note must contain many words of the prompt. */
const LEAST_WORDS = 0.28;

/** Whether a prompt has enough words to be about something. Reads only as much of it as necessary. */
export function hasTopic(prompt: string): boolean {
  const words = parseQuery(prompt, MIN_TERMS).filter(({ isStop }) => !isStop);
  return new Set(words.map(({ term }) => term)).size >= MIN_TERMS;
}

/** The notes that match a prompt in this project. Most prompts get none. */
export async function notesFor(memory: Memory, prompt: string, seenFrom?: SeenFrom): Promise<Hit[]> {
  if (!hasTopic(prompt)) return [];
  const seen = seenFrom === undefined ? {} : { seenFrom };
  const found = async (pageSize: number): Promise<readonly Hit[]> =>
    // By strength, because the choice of the right note has its own limits per project.
    (await memory.search({ query: prompt, pageSize, ...seen })).hits.toSorted(
      (a, b) => b.strength - a.strength,
    );
  const first = await found(LOOKED_AT);
  // Copies of a note would take the places of others, and four of them would form a background that none stands out
  // from.
  const isCopied = distinct(first).length < first.length;
  const hits = isCopied ? distinct(await openable(memory, await found(MOST_COPIES))) : first;
  const background = Math.max(LEAST_BACKGROUND, hits[MAX_NOTES]?.strength ?? 0);
  // If others have vectors, a note without one begins with a page of emoji, or is pending, so it is not near.
  const isByMeaning = hits.some(({ semanticScore }) => semanticScore !== undefined);
  return hits
    .slice(0, MAX_NOTES)
    .filter((hit) => (isByMeaning ? isNear(hit, background, hits) : hit.textScore >= LEAST_WORDS));
}

/** A copy that cannot be opened must not replace copies that can. */
async function openable(memory: Memory, hits: readonly Hit[]): Promise<Hit[]> {
  const canOpen = await Promise.all(
    hits.map(({ uri }) =>
      memory.peek(uri).then(
        (note) => note !== undefined,
        () => false,
      ),
    ),
  );
  return hits.filter((_, at) => canOpen[at]);
}

/** Keeps one of several copies, preferably this project's. Copies have exactly equal scores, and nothing else does. */
function distinct(hits: readonly Hit[]): Hit[] {
  const copies = new Map<string, Hit>();
  for (const hit of hits) {
    const match = `${hit.textScore} ${hit.semanticScore} ${hit.title}`;
    if (!copies.has(match) || (hit.relation === "own" && copies.get(match)?.relation !== "own"))
      copies.set(match, hit);
  }
  return [...copies.values()];
}

function isNear(hit: Hit, background: number, hits: readonly Hit[]): boolean {
  const { strength, semanticScore, relation = "unknown" } = hit;
  if (semanticScore === undefined) return false;
  const { base, cosine, standout, standoutInProject } = relation === "own" ? OWN_ODDS : ODDS;
  const rivals = hits.filter((other) => other !== hit && other.relation === relation);
  const inProject = Math.max(LEAST_BACKGROUND, ...rivals.map((other) => other.strength));
  const odds =
    base +
    cosine * semanticScore +
    standout * Math.min(MOST_STANDOUT, strength - background) +
    standoutInProject * Math.min(MOST_STANDOUT, strength - inProject);
  return odds >= LEAST_ODDS[relation];
}

/**
 * Shows the beginning of a note rather than a snippet for this prompt: a note is delivered only once as long as its
 * text is the same, so the text must not depend on the prompt.
 */
export function additionOf({ uri, title: given, score }: Hit, lead: string): Item {
  const title = redact(given);
  const text = `${uri}\n${lead}`.trim();
  return {
    key: uri,
    name: title,
    noun: "note",
    text,
    tokens: countTokens(text),
    reason: `it is near the prompt in words and meaning (${score.toFixed(2)})`,
    priority: score,
  };
}
