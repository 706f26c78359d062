import type { Answer, Source, SourceContext } from "../../../moments/ports/source.ts";
import type { EndMoment, IdleMoment, PromptMoment, StartMoment } from "../../../moments/types.ts";
import { mayRefer } from "../references/references.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { withoutCalls } from "./call-limit.ts";

/**
 * Every past session, of any host. Rests bring the index on, a slice at a time; what a prompt names with `@@` is told
 * when it is named, and nothing before that.
 */
export const sessions: Source = {
  name: "sessions",
  answersChildren: false,
  settings: SESSIONS_SETTINGS,
  answers: { start, prompt, idle: advance, end: advance },
};

/** Where the snapshot comes with the first prompt there is no addition for that prompt. Indexing can wait for a rest. */
async function start(moment: StartMoment, context: SourceContext): Promise<Answer> {
  const refers = moment.prompt !== undefined && mayRefer(moment.prompt);
  return refers ? told(moment.prompt, moment, context) : {};
}

async function prompt(moment: PromptMoment, context: SourceContext): Promise<Answer> {
  const reset = withoutCalls(context.memo);
  const answer = mayRefer(moment.prompt) ? await told(moment.prompt, moment, context) : {};
  return { ...answer, ...(reset !== undefined && { remember: reset }) };
}

// The index, and SQLite with it, are read only where something is done with them: most prompts name no session.

async function told(
  prompt: string,
  moment: StartMoment | PromptMoment,
  context: SourceContext,
): Promise<Answer> {
  if (context.readOnly || context.settings["references"] === false) return {};
  const { referred } = await import("../references/referred.ts");
  return referred(prompt, moment, context);
}

async function advance(moment: IdleMoment | EndMoment, context: SourceContext): Promise<Answer> {
  if (context.readOnly || context.settings["index"] === false) return {};
  const { advanceIndex } = await import("../indexing/advance-index.ts");
  await advanceIndex(moment, context);
  return {};
}
