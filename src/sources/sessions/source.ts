import type { Answer, Source, Surroundings } from "../../moments/source.ts";
import type { PromptMoment, StartMoment } from "../../moments/types.ts";
import { withoutCalls } from "./call-limit.ts";
import { mayRefer } from "./references.ts";
import { SESSIONS_SETTINGS } from "./settings.ts";

/** Past sessions, of any host: what a prompt names with `@@` is told when it is named, and nothing before that. */
export const sessions: Source = {
  name: "sessions",
  answersChildren: false,
  settings: SESSIONS_SETTINGS,
  answers: { start, prompt },
};

/** Where the snapshot comes with the first prompt there is no addition for that prompt. */
async function start(moment: StartMoment, surroundings: Surroundings): Promise<Answer> {
  return moment.prompt === undefined ? {} : told(moment.prompt, moment, surroundings);
}

async function prompt(moment: PromptMoment, surroundings: Surroundings): Promise<Answer> {
  const reset = withoutCalls(surroundings.memo);
  return {
    ...(await told(moment.prompt, moment, surroundings)),
    ...(reset !== undefined && { remember: reset }),
  };
}

async function told(
  prompt: string,
  moment: StartMoment | PromptMoment,
  surroundings: Surroundings,
): Promise<Answer> {
  const { settings, readOnly } = surroundings;
  if (readOnly || settings["references"] === false || !mayRefer(prompt)) return {};
  // The index, and SQLite with it, are read only when a session is named: most prompts name none.
  const { referredSections } = await import("./referred.ts");
  return { sections: await referredSections(prompt, moment, surroundings) };
}
