import { ContinuoError } from "../../base/errors.ts";
import type { Place } from "../ports/action.ts";

/**
 * Sets a value in config.json, or removes it; a value that depends on the previous one is a function. Not possible
 * inside agents.
 */
export async function changeSetting(
  { changeConfig }: Place,
  path: readonly string[],
  value: unknown,
): Promise<string> {
  if (changeConfig !== undefined) return changeConfig(path, value);
  throw new ContinuoError("not-here", "settings cannot be changed from here", {
    hint: "use the command line, in a terminal",
  });
}
