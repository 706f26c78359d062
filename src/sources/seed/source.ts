import { existsSync } from "node:fs";
import type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
import type { Moment } from "../../moments/types.ts";
import { SEED_SETTINGS, seedPathOf } from "./settings.ts";

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

/** Most machines have no seed: there, this only checks whether the file exists and loads no further code. */
async function answer(moment: Moment, context: SourceContext): Promise<Answer> {
  const path = seedPathOf(context.settings, context.env);
  if (path === undefined || !existsSync(path)) return {};
  const { answerWithSeed } = await import("./answers.ts");
  return answerWithSeed(path, moment, context);
}
