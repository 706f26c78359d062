import type { Answer, Source, Surroundings } from "../../moments/source.ts";
import type { EndMoment, IdleMoment, StartMoment } from "../../moments/types.ts";
import { SESSIONS_SETTINGS } from "./settings.ts";

/** Every past session. Moments bring the index on, a slice at a time; nothing is put into a session by itself. */
export const sessions: Source = {
  name: "sessions",
  answersChildren: false,
  settings: SESSIONS_SETTINGS,
  answers: { start: advance, idle: advance, end: advance },
};

/** The index, and SQLite with it, are read only where something is done with them. */
async function advance(
  moment: StartMoment | IdleMoment | EndMoment,
  surroundings: Surroundings,
): Promise<Answer> {
  if (surroundings.readOnly || surroundings.settings["index"] === false) return {};
  const { advanceIndex } = await import("./advance.ts");
  await advanceIndex(moment, surroundings);
  return {};
}
