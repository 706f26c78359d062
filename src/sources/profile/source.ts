import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
import type { Moment } from "../../moments/types.ts";
import { SEED_SETTINGS, seedPathOf, WAITING_FILE } from "./settings.ts";

export const seed: Source = {
  name: "seed",
  answersChildren: false,
  settings: SEED_SETTINGS,
  answers: {
    start: answer,
    resume: answer,
    prompt: answer,
    compacted: answer,
    idle: answer,
    end: answer,
  },
};

/**
 * Without a seed, further code is loaded only at the end of a turn or session, to extract wishes, and at a start if
 * some are pending.
 */
async function answer(moment: Moment, context: SourceContext): Promise<Answer> {
  const path = seedPathOf(context.settings, context.env);
  if (path === undefined) return {};
  const isOver = moment.name === "idle" || moment.name === "end";
  const isWaited = moment.name === "start" && existsSync(join(context.home, WAITING_FILE));
  if (!isOver && !isWaited && !existsSync(path)) return {};
  const { answerMoment } = await import("./answers.ts");
  return answerMoment({ seed: path, home: context.home }, moment, context);
}
