import { ContinuoError } from "../../../base/errors.ts";
import type { PromptText } from "../../../compose/escape.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { viewpointOf, withSessions } from "../access.ts";
import { asError, sessionAskedFor } from "../answers/asked-for.ts";
import { query } from "../answers/query.ts";
import { recallText } from "../answers/recall.ts";
import { handoff } from "../records/handoff.ts";
import { namesLike } from "../references/known-names.ts";

const SYNC_MS = 2_000;

export async function recallPrompt(words: string, call: ToolContext): Promise<PromptText> {
  if (words.trim() === "") throw new ContinuoError("usage", "recall what?", { hint: "give a few words" });
  const found = await withSessions(call, SYNC_MS, (library) => recallText(library, words, viewpointOf(call)));
  return {
    quoted: found,
    request:
      `Tell me which of these past sessions have something on "${words.trim()}", and what, one line each with its id. ` +
      "Use only what stands above.",
  };
}

export async function askPrompt(session: string, question: string, call: ToolContext): Promise<PromptText> {
  const outcome = await withSessions(call, SYNC_MS, (library) =>
    query(library, { session, question }, viewpointOf(call)),
  );
  if (!outcome.ok) throw asError(outcome.failure);
  return {
    quoted: outcome.answer.answerMarkdown,
    request: `From these quotes of a past session: ${question.trim()} Name the turns that your answer comes from, and say so if they do not answer it.`,
  };
}

export async function handoffPrompt(session: string | undefined, call: ToolContext): Promise<PromptText> {
  const text = await withSessions(call, SYNC_MS, (library) =>
    handoff(library, sessionAskedFor(library, session?.trim() || "last", viewpointOf(call))),
  );
  return {
    quoted: text,
    request:
      "We go on with the work of this past session. Tell me in three lines where it stands and what comes next, and wait.",
  };
}

export async function sessionNames(typed: string, call: ToolContext): Promise<readonly string[]> {
  return withSessions(call, 0, (library) =>
    namesLike(typed, library.list(), viewpointOf(call)).map(({ name }) => name),
  );
}
