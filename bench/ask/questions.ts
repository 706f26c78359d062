import { termsOf } from "../../src/search/words.ts";

/** One message of a recorded session: role, time, text. */
export type Message = readonly [role: string, time: string, text: string];

export interface RecordedSession {
  readonly session_id: string;
  readonly messages: readonly Message[];
}

/** A question whose answering turns are known from how it was made. */
export interface LabelledQuestion {
  readonly set: "asked" | "half-remembered";
  readonly session: string;
  readonly question: string;
  /** The turn that the question was taken from. It is left out, because it contains the question itself. */
  readonly from?: number;
  readonly gold: ReadonlySet<number>;
}

/** In a shorter session, any answer cites half of the turns. */
const LEAST_MESSAGES = 20;
const MOST_OF_A_SESSION = 3;

export function labelledQuestions(sessions: readonly RecordedSession[]): LabelledQuestion[] {
  return sessions
    .filter(({ messages }) => messages.length >= LEAST_MESSAGES)
    .flatMap((session) => [...asked(session), ...halfRemembered(session)]);
}

/**
 * What a person really asked: the turns up to that person's next message are the answer. The question was asked in the
 * middle of a conversation and omits what both sides knew, as a later question may too.
 */
function asked({ session_id, messages }: RecordedSession): LabelledQuestion[] {
  const found: LabelledQuestion[] = [];
  for (const [at, [role, , text]] of messages.entries()) {
    if (role !== "user" || !text.trim().endsWith("?") || text.length > 400 || text.startsWith("<")) continue;
    if (new Set(termsOf(text)).size < 5) continue;
    const end = messages.findIndex(([other], i) => i > at && other === "user");
    const answers = [...messages.keys()].slice(at + 1, end === -1 ? undefined : end);
    if (answers.length === 0 || answers.length > messages.length / 4) continue;
    found.push({
      set: "asked",
      session: session_id,
      question: text.trim(),
      from: at,
      gold: new Set(answers),
    });
  }
  return spread(found);
}

/**
 * A fact that is in one turn only: a sentence with a code name that no other turn has. The question is every second word
 * of that sentence without the name, as if somebody half remembered it.
 */
function halfRemembered({ session_id, messages }: RecordedSession): LabelledQuestion[] {
  const found: LabelledQuestion[] = [];
  for (const [at, [role, , text]] of messages.entries()) {
    if (role !== "assistant") continue;
    const sentence = text.split(/\n+|(?<=[.!?])\s+/).find((one) => isFact(one, at, messages));
    if (sentence === undefined) continue;
    const words = sentence
      .replace(/`[^`]*`/g, " ")
      .split(/\s+/)
      .filter((word) => termsOf(word).length > 0);
    const kept = words.filter((_, i) => i % 2 === 0);
    if (new Set(termsOf(kept.join(" "))).size < 4) continue;
    found.push({
      set: "half-remembered",
      session: session_id,
      question: kept.join(" "),
      gold: new Set([at]),
    });
  }
  return spread(found);
}

function isFact(sentence: string, at: number, messages: readonly Message[]): boolean {
  const names = [...sentence.matchAll(/`([^`\s]{4,60})`/g)].map(([, name = ""]) => name);
  return (
    sentence.length <= 300 &&
    names.some((name) => messages.every(([, , text], i) => i === at || !text.includes(name)))
  );
}

/** A few from each session, evenly distributed, so that long sessions do not dominate the figure. */
function spread<T>(all: readonly T[]): T[] {
  if (all.length <= MOST_OF_A_SESSION) return [...all];
  return Array.from(
    { length: MOST_OF_A_SESSION },
    (_, i) => all[Math.floor(((i + 0.5) * all.length) / MOST_OF_A_SESSION)] as T,
  );
}
