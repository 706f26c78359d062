import { ContinuoError } from "../../../base/errors.ts";
import { findProject } from "../../../moments/project.ts";
import { withSessions } from "../../../sources/sessions/access.ts";
import { composerFor, withPrice } from "../../../sources/sessions/answers/composer.ts";
import { asError, query } from "../../../sources/sessions/answers/query.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";

/** A person who types a command would rather wait for the whole answer, within reason. */
const SYNC_MS = 10_000;

/** What one past session has on a question: composed by a model where one is named in the settings, else quoted. */
export async function ask({ env, cwd, now, history, positionals, values, tell }: Input): Promise<Outcome> {
  const [, session, ...words] = positionals;
  const question = words.join(" ").trim();
  if (session === undefined || question === "")
    throw new ContinuoError("usage", "ask which session what?", {
      hint: 'continuo sessions ask last "what did we decide about retries?"',
    });
  const place = { home: findHome(env), env, now: now(), history };
  const compose = values["quotes"] === true ? undefined : composerFor(place, (line) => tell?.(line));
  return withSessions(place, SYNC_MS, async (library) => {
    const outcome = await query(library, { session, question }, { project: findProject(cwd).id }, compose);
    if (!outcome.ok) throw asError(outcome.failure);
    return { data: outcome.answer, text: withPrice(outcome.answer) };
  });
}
