import { createHash } from "node:crypto";
import { collapse } from "../../../src/base/text.ts";
import { termsOf } from "../../../src/search/words.ts";
import { isPrompt } from "../../../src/sources/sessions/indexing/units.ts";
import type { Sessions } from "../../../src/sources/sessions/library.ts";
import type { PastSession } from "../../../src/sources/sessions/session.ts";

/** A session as the judge sees it, made from the transcript alone: nothing of it depends on how records are made. */
export interface Judged {
  readonly session: PastSession;
  /** `user: …` and `assistant: …`, in order. */
  readonly said: readonly { readonly role: string; readonly text: string }[];
  readonly isTuned: boolean;
}

const LEAST_SAID = 7;
/** A candidate that is this similar, or begins with the same words, is a copy of the session that was continued. */
const SAME = 0.9;

/** Sessions with enough conversation, in an order that depends on their ids only. */
export function judgedSessions(sessions: Sessions): Judged[] {
  return sessions
    .list()
    .map((session) => ({
      session,
      isTuned: (hashOf(session.id)[0] ?? 0) % 2 === 0,
      said: [...sessions.turns(session)]
        .filter((turn) => isPrompt(turn) || (turn.role === "assistant" && turn.text.trim() !== ""))
        .map(({ role, text }) => ({ role, text: collapse(text) })),
    }))
    .filter(({ said }) => said.length >= LEAST_SAID)
    .sort((a, b) => hashOf(a.session.id).compare(hashOf(b.session.id)));
}

export const hashOf = (text: string): Buffer => createHash("sha1").update(text).digest();

const PIECES = 6;

/**
 * A fixed sample of what was said: two turns each from the beginning, the middle and the end. The first and the last turn are
 * left out: records quote them, and recognising a quotation is not recognising a session.
 */
export function sampleOf(all: Judged["said"], characters: number): string {
  const said = all.length > PIECES ? all.slice(1, -1) : all;
  const middle = Math.floor((said.length - 2) / 2);
  const places = [...new Set([0, 1, middle, middle + 1, said.length - 2, said.length - 1])].filter(
    (at) => at >= 0 && at < said.length,
  );
  const room = Math.floor(characters / PIECES);
  return places.map((at) => `${said[at]?.role}: ${clip(said[at]?.text ?? "", room)}`).join("\n");
}

const clip = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, room).toWellFormed()}…`;

/**
 * The candidate whose whole text, as the assistant said it, is nearest to a text by its words. No replacement for a judge: it shows
 * whether a change helps before anybody is asked.
 */
export function nearestByWords(
  all: readonly Judged[],
): (text: string, candidates: readonly Judged[]) => number {
  const textOf = ({ said }: Judged): string =>
    said.flatMap(({ role, text }) => (role === "assistant" ? [text] : [])).join("\n");
  const weighted = weightsOf(all.map(textOf));
  const vectors = new Map(all.map((one) => [one, weighted(textOf(one))]));
  return (text, candidates) => {
    const wanted = weighted(text);
    const near = candidates.map((one) => cosine(wanted, vectors.get(one) ?? new Map()));
    const best = Math.max(...near);
    return best === 0 ? -1 : near.indexOf(best);
  };
}

/** Makes the four other sessions that are hardest to tell from one: two nearest in topic, two nearest in time. */
export function distractorsFor(all: readonly Judged[]): (one: Judged) => Judged[] {
  const vectors = new Map(all.map((one) => [one, one.said.map(({ text }) => text).join("\n")]));
  const weighted = weightsOf([...vectors.values()]);
  const vectorOf = new Map(all.map((one) => [one, weighted(vectors.get(one) ?? "")]));
  return (one) => {
    const own = vectorOf.get(one) ?? new Map<string, number>();
    const others = all
      .filter((other) => other !== one && other.session.host === one.session.host)
      .map((other) => ({
        other,
        topic: cosine(own, vectorOf.get(other) ?? new Map()),
        time: Math.abs(other.session.started - one.session.started),
      }))
      .filter(({ topic, other }) => topic < SAME && other.said[0]?.text !== one.said[0]?.text);
    const pool = others.length >= 4 ? others : [];
    const byTopic = pool.toSorted((a, b) => b.topic - a.topic).slice(0, 2);
    const byTime = pool.filter((two) => !byTopic.includes(two)).toSorted((a, b) => a.time - b.time);
    return [...byTopic, ...byTime.slice(0, 2)].map(({ other }) => other);
  };
}

function weightsOf(texts: readonly string[]): (text: string) => Map<string, number> {
  const documents = new Map<string, number>();
  for (const text of texts)
    for (const term of new Set(termsOf(text))) documents.set(term, (documents.get(term) ?? 0) + 1);
  return (text) => {
    const counts = new Map<string, number>();
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return new Map(
      [...counts].map(([term, count]) => [
        term,
        (1 + Math.log(count)) * Math.log((texts.length + 1) / (documents.get(term) ?? 1)),
      ]),
    );
  };
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0;
  for (const [term, weight] of a) dot += weight * (b.get(term) ?? 0);
  const length = (one: ReadonlyMap<string, number>): number =>
    Math.sqrt([...one.values()].reduce((sum, weight) => sum + weight * weight, 0));
  return dot / (length(a) * length(b) || 1);
}
