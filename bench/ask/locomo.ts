import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Message, RecordedSession } from "./questions.ts";

/** A question, the ids of the turns that answer it, and the sessions that it is asked of. */
export interface OwnWordsQuestion {
  readonly conversation: string;
  readonly question: string;
  readonly gold: ReadonlySet<string>;
  readonly session: string;
  readonly samePeople: string;
  readonly others: string;
}

interface Spoken {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}
interface Conversation {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, string | readonly Spoken[]>>;
  readonly qa: readonly { question: string; evidence?: readonly string[]; category: number }[];
}

/** A conversation has about 20 short meetings: three together are as long as a session of a coding agent. */
const MEETINGS = 3;
/** Questions that the conversation does not answer. */
const UNANSWERABLE = 5;

/** Questions whose answer is in one session. */
export function locomoQuestions(data: string): {
  sessions: RecordedSession[];
  questions: OwnWordsQuestion[];
} {
  const file = join(data, "locomo/locomo-dev.json");
  const all = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Conversation[]) : [];
  const turns = new Map<string, { session: string; id: string }>();
  const perConversation = all.map(({ sample_id, conversation }, c) => {
    const meetings: (readonly Spoken[])[] = [];
    for (let n = 1; typeof conversation[`session_${n}`] === "object"; n++)
      meetings.push(conversation[`session_${n}`] as readonly Spoken[]);
    return meetings
      .flatMap((_, at) => (at % MEETINGS === 0 ? [meetings.slice(at, at + MEETINGS).flat()] : []))
      .map((spoken, s): RecordedSession => {
        const session_id = `00000000-0000-4000-8000-${String(c * 100 + s).padStart(12, "0")}`;
        return {
          session_id,
          messages: spoken.map(({ speaker, dia_id, text }, i): Message => {
            turns.set(`${sample_id} ${dia_id}`, { session: session_id, id: `${session_id}#${i}` });
            const role = speaker === conversation["speaker_a"] ? "user" : "assistant";
            return [role, `2026-01-01T00:${String(i % 60).padStart(2, "0")}:00Z`, `${speaker}: ${text}`];
          }),
        };
      });
  });
  const pick = (some: readonly RecordedSession[], at: number) => some[at % some.length]?.session_id ?? "";
  const questions = all.flatMap(({ sample_id, qa }, c) =>
    qa.flatMap(({ question, evidence = [], category }, at) => {
      const ids = evidence.flatMap((one) => one.match(/D\d+:\d+/g) ?? []);
      const found = ids.map((id) => turns.get(`${sample_id} ${id}`));
      const session = found[0]?.session;
      if (category === UNANSWERABLE || session === undefined) return [];
      if (found.some((turn) => turn?.session !== session)) return [];
      const same = (perConversation[c] ?? []).filter(({ session_id }) => session_id !== session);
      return {
        conversation: sample_id,
        question,
        gold: new Set(found.flatMap((turn) => turn?.id ?? [])),
        session,
        samePeople: pick(same, at),
        others: pick(perConversation[(c + 1) % all.length] ?? [], at),
      };
    }),
  );
  return { sessions: perConversation.flat(), questions };
}
