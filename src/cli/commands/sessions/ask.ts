import { ContinuoError } from "../../../base/errors.ts";
import { withSessions } from "../../../sources/sessions/access.ts";
import { composerFor, withPrice } from "../../../sources/sessions/answers/composer.ts";
import { asError, query } from "../../../sources/sessions/answers/query.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { projectHere } from "./with-sessions.ts";

/** A person waits for new sessions to be indexed, within reason. */
const SYNC_MS = 10_000;

/** Answers a question about a past session: written by the configured model, otherwise with quotes. */
export async function ask({ env, cwd, now, history, positionals, values, tell }: Input): Promise<Outcome> {
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
    return { data: outcome.answer, text: withPrice(outcome.answer) };
  });
}
