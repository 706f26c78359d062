import { typed } from "../../../base/settings.ts";
import type { Answer, Source, SourceContext } from "../../../moments/ports/source.ts";
import type { EndMoment, IdleMoment, PromptMoment, StartMoment } from "../../../moments/types.ts";
import { mayRefer } from "../references/references.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { withoutCalls } from "./call-limit.ts";

/**
 * Past sessions of all hosts. Extends the index a slice at a time when a session goes idle or ends, and describes a
 * session only when a prompt names it with `@@`.
 */
export const sessions: Source = {
  name: "sessions",
  answersChildren: false,
  settings: SESSIONS_SETTINGS,
  answers: { start, prompt, idle: advance, end: advance },
};

/**
 * If the snapshot comes with the first prompt, that prompt has no addition. Indexing can wait until the session goes
 * idle.
 */
async function start(moment: StartMoment, context: SourceContext): Promise<Answer> {
  const refers = moment.prompt !== undefined && mayRefer(moment.prompt);
  return refers ? referenceAnswer(moment.prompt, moment, context) : {};
}

async function prompt(moment: PromptMoment, context: SourceContext): Promise<Answer> {
  const reset = withoutCalls(context.memo);
  const answer = mayRefer(moment.prompt) ? await referenceAnswer(moment.prompt, moment, context) : {};
  return { ...answer, ...(reset !== undefined && { remember: reset }) };
}

// The index and SQLite are loaded only when they are used: most prompts name no session.

async function referenceAnswer(
  prompt: string,
  moment: StartMoment | PromptMoment,
  context: SourceContext,
): Promise<Answer> {
  if (context.readOnly || !typed(SESSIONS_SETTINGS, context.settings).references) return {};
  const { describeReferences } = await import("../references/reference-section.ts");
  return describeReferences(prompt, moment, context);
}

async function advance(moment: IdleMoment | EndMoment, context: SourceContext): Promise<Answer> {
  if (context.readOnly || !typed(SESSIONS_SETTINGS, context.settings).index) return {};
  const { advanceIndex } = await import("./advance-index.ts");
  await advanceIndex(moment, context);
  return {};
}
