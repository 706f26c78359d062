import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { queryTerms, termsOf } from "../../src/search/words.ts";
import type { Corpus } from "../retrieval/data.ts";

/** The set in `set/`; its README says how it was made. */
export interface SetNote {
  readonly id: string;
  readonly project: string;
  readonly title: string;
  readonly text: string;
}

export interface SetQuestion {
  readonly note: string;
  readonly kind: string;
  readonly query: string;
  readonly language?: string;
}

export interface SetPrompt {
  /** `s-…`: of an unrelated project. `t-…`: of one of the five projects, about a topic that no note has. */
  readonly id: string;
  readonly prompt: string;
  readonly project?: string;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, "set", `${name}.json`), "utf8"));

export const setNotes = (): SetNote[] => read("notes") as SetNote[];
export const setQuestions = (): SetQuestion[] => read("questions") as SetQuestion[];
export const setPrompts = (): SetPrompt[] => read("prompts") as SetPrompt[];

export const OWN_WORDS = "own words";
export const KINDS = ["search", "question", "prompt", "everyday search", "everyday sentence", OWN_WORDS];

export const HALVES = ["development", "other"] as const;
export type Half = (typeof HALVES)[number];

/** Only the development half is for tuning and for looking at single results. */
export function halfOf({ note }: Pick<SetQuestion, "note">): Half {
  return (createHash("sha1").update(note).digest()[0] ?? 0) % 2 === 0 ? "development" : "other";
}

/** The notes in so many stores of equal size, and which of these questions, by their place, each store is asked. */
export function storesOf(
  count: number,
  questions: readonly SetQuestion[],
): { readonly corpus: Corpus; readonly places: readonly number[] }[] {
  const notes = setNotes();
  return Array.from({ length: count }, (_, store) => {
    const documents = notes.filter((_note, at) => at % count === store);
    const ids = new Set(documents.map(({ id }) => id));
    const places = questions.flatMap(({ note }, at) => (ids.has(note) ? [at] : []));
    const asked = places.flatMap((at) => questions[at] ?? []);
    return {
      corpus: {
        documents: documents.map(({ id, title, text }) => ({ id, title, text })),
        questions: asked.map(({ query, note }) => ({ query, gold: new Set([note]) })),
      },
      places,
    };
  });
}

/** All notes in one store, and these questions. */
export function corpusOf(questions: readonly SetQuestion[]): Corpus {
  return {
    documents: setNotes().map(({ id, title, text }) => ({ id, title, text })),
    questions: questions.map(({ query, note }) => ({ query, gold: new Set([note]) })),
  };
}

/** How many terms of a question its note has: the fewer, the more it is in other words. */
export function sharedTerms(questions: readonly SetQuestion[]): number[] {
  const terms = new Map(setNotes().map(({ id, title, text }) => [id, new Set(termsOf(`${title}\n${text}`))]));
  return questions.map(
    ({ note, query }) => queryTerms(query).filter((term) => terms.get(note)?.has(term)).length,
  );
}
