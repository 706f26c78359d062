import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { highlighted } from "../../../search/marks.ts";
import { termsOf } from "../../../search/words.ts";
import { withSessions } from "../../../sources/sessions/access.ts";
import { composerFor, withPrice } from "../../../sources/sessions/answers/composer.ts";
import { asError, query } from "../../../sources/sessions/answers/query.ts";
import { ABANDONED, shownName } from "../../../sources/sessions/labels.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { SessionAnswer } from "../../../sources/sessions/quotes.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapMarkdown, wrapOn } from "../../terminal/wrap.ts";
import { factsOf, projectHere, shortener } from "./with-sessions.ts";

/** A person waits for new sessions to be indexed, within reason. */
const SYNC_MS = 10_000;

/** Answers a question about a past session: written by the configured model, otherwise with quotes. */
export async function ask(input: Input): Promise<Outcome> {
  const { env, cwd, now, history, positionals, values, tell } = input;
  const [, session, ...words] = positionals;
  const question = words.join(" ").trim();
  if (session === undefined || question === "")
    throw new ContinuoError("usage", `${session === undefined ? "SESSION" : "QUESTION"} is missing`, {
      hint: 'for example: continuo sessions ask last "what did we decide about retries?"',
    });
  const place = { home: findHome(env), env, now: now(), history };
  const compose = values["quotes"] === true ? undefined : composerFor(place, (line) => tell?.(line));
  return withSessions(place, SYNC_MS, async (library) => {
    const outcome = await query(
      library,
      { session, question },
      { project: projectHere({ cwd, env }) },
      compose,
    );
    if (!outcome.ok) throw asError(outcome.failure);
    const { answer } = outcome;
    return { data: answer, text: await answerText(input, library, answer, question) };
  });
}

/** For a person: whose words they are, and when. Elsewhere an agent reads it, and gets the exact turns. */
async function answerText(
  input: Input,
  library: Sessions,
  answer: SessionAnswer,
  question: string,
): Promise<string> {
  const { screen = PLAIN, now } = input;
  if (!screen.isTerminal) return withPrice(answer);
  const { sessionId: id, host, citations, notes, confidence } = answer;
  const session = library.get({ host, id });
  const agent = await agentNamer(input);
  const paint = paintFor(screen);
  const terms = termsOf(question);
  const isComposed = answer.model !== undefined && answer.model.attempts > 0;
  const quotes = citations.flatMap(({ role, at, isLeft, excerpt, quote = excerpt }, place) => [
    "",
    paint("dim", `${place + 1}. ${role}, ${ago(at, now())}${isLeft ? ABANDONED : ""}`),
    wrapOn(`   ${highlighted(paint, oneLine(quote), terms)}`, screen),
  ]);
  const weak = confidence === "low" && citations.length > 0 ? ["This session may not have the answer."] : [];
  return [
    wrapOn(paint("bold", oneLine(session === undefined ? answer.sessionName : shownName(session))), screen),
    ...(session === undefined
      ? []
      : [wrapOn(paint("dim", `  ${factsOf(session, { now: now(), agent })}`), screen)]),
    ...(isComposed ? ["", wrapMarkdown(withPrice(answer), screen)] : quotes),
    ...(isComposed || weak.length + notes.length === 0
      ? []
      : ["", ...[...weak, ...notes].map((line) => wrapOn(oneLine(line), screen))]),
    ...nextSteps(screen, [`continuo sessions show ${shortener(library)(id)}`, "What else was done in it"]),
  ].join("\n");
}
