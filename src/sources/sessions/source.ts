import { typed } from "../../base/settings.ts";
import type { Answer, Source, Surroundings } from "../../moments/ports/source.ts";
import type { EndMoment, IdleMoment, PromptMoment, StartMoment } from "../../moments/types.ts";
import { withoutCalls } from "./call-limit.ts";
import { mayRefer } from "./references.ts";
import { SESSIONS_SETTINGS } from "./settings.ts";

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
async function start(moment: StartMoment, surroundings: Surroundings): Promise<Answer> {
  const refers = moment.prompt !== undefined && mayRefer(moment.prompt);
  return refers ? told(moment.prompt, moment, surroundings) : {};
}

async function prompt(moment: PromptMoment, surroundings: Surroundings): Promise<Answer> {
  const reset = withoutCalls(surroundings.memo);
  const answer = mayRefer(moment.prompt) ? await told(moment.prompt, moment, surroundings) : {};
  return { ...answer, ...(reset !== undefined && { remember: reset }) };
}

// The index, and SQLite with it, are read only where something is done with them: most prompts name no session.

async function told(
  prompt: string,
  moment: StartMoment | PromptMoment,
  surroundings: Surroundings,
): Promise<Answer> {
  if (surroundings.readOnly || !typed(SESSIONS_SETTINGS, surroundings.settings).references) return {};
  const { referred } = await import("./referred.ts");
  return referred(prompt, moment, surroundings);
}

async function advance(moment: IdleMoment | EndMoment, surroundings: Surroundings): Promise<Answer> {
  if (surroundings.readOnly || !typed(SESSIONS_SETTINGS, surroundings.settings).index) return {};
  const { advanceIndex } = await import("./advance.ts");
  await advanceIndex(moment, surroundings);
  return {};
}
