import { chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { type Check, ok, warn } from "./check.ts";

/** Which language model would be asked from here. A host may have others of its own; nothing is sent. */
export const checkModels: Check = async (world, home) => {
  if (home === undefined) return [];
  const values = sessionsSettings(home, world.env);
  const settings = modelSettings(values);
  if (settings.modelKeys.length === 0) return [ok("models", "none is named, and none is asked")];
  const { model, problems } = await chooseModel(settings, world.env);
  return [
    ...(model === undefined ? [] : [ok("models", `${model.key} at ${model.address} ${tasksOf(values)}`)]),
    ...problems.map((problem) =>
      warn(
        "models",
        `modelKeys in config.json: ${problem}`,
        model === undefined
          ? "until one can be used, records are in the sessions' own words; pi may know models that this command does not"
          : `${model.key} is asked instead; pi may know models that this command does not`,
      ),
    ),
  ];
};

function tasksOf({ modelRecords, modelAnswers }: ReturnType<typeof sessionsSettings>): string {
  return [
    modelRecords ? "describes sessions" : "describes sessions when it is told to",
    ...(modelAnswers ? ["answers about them"] : []),
  ].join(" and ");
}
