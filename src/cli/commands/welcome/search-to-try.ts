import { oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import { knownProject } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { stem } from "../../../search/stem.ts";
import { STOP_WORDS } from "../../../search/words.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import type { Try } from "./try-it.ts";

const MOST_SESSIONS = 8;
const MOST_WORDS = 12;
const MOST_QUERIES = 4;
const MOST_CHARACTERS = 250;
/** Letters only: the command is copied into a shell. */
const WORD = /^\p{L}{3,24}$/u;

/** A few words of a recent session's prompt that find this session first. A session of this project, if there is one. */
export function searchToTry(input: Input, sessions: Sessions, program: string): Try | undefined {
  const { ids } = knownProject(findProject(input.cwd), { home: findHome(input.env), env: input.env });
  const here = sessions.list({ spoken: true, limit: MOST_SESSIONS, project: ids });
  const recent = here.length > 0 ? here : sessions.list({ spoken: true, limit: MOST_SESSIONS });
  for (const session of recent) {
    const words = wordsFor(session, sessions);
    if (words === undefined) continue;
    const name = clipWithin(oneLine(session.name), 60);
    return {
      command: `${program} search ${words}`,
      what: `finds "${name}" (${ago(session.modified, input.now())})`,
    };
  }
  return undefined;
}

/** Three words, else two, that follow each other in a prompt. The rarest first: they say best what the session was about. */
function wordsFor(session: PastSession, sessions: Sessions): string | undefined {
  const prompts = [...sessions.firstPrompts(session), sessions.lastAsked(session)?.text ?? ""];
  const texts = prompts.map(wordsIn);
  const known = [...new Set(texts.flat())].slice(0, MOST_WORDS);
  const totals = new Map(
    known.map((word) => [word, sessions.search(word, { limit: 1, weaker: true }).total]),
  );
  const cost = (words: readonly string[]) => words.reduce((sum, word) => sum + (totals.get(word) ?? 0), 0);
  for (const many of [3, 2]) {
    const queries = texts
      .flatMap((words) => words.map((_, at) => words.slice(at, at + many)))
      .filter((words) => new Set(words.map(stem)).size === many && words.every((word) => totals.has(word)))
      .sort((a, b) => cost(a) - cost(b))
      .map((words) => words.join(" "));
    const found = [...new Set(queries)].slice(0, MOST_QUERIES).find((query) => {
      const [hit] = sessions.search(query, { limit: 1 }).hits;
      return hit?.session.id === session.id && hit.session.host === session.host;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words of a prompt that are worth a search. A prompt that was cut may end within a word. */
function wordsIn(prompt: string): string[] {
  const isCut = prompt.length > MOST_CHARACTERS || prompt.endsWith("…");
  const text = prompt.slice(0, MOST_CHARACTERS);
  return (isCut ? text.replace(/\S*$/, "") : text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => WORD.test(word) && !STOP_WORDS.has(word));
}
