import { ContinuoError } from "../../base/errors.ts";

/** For a question where there is no person to answer it. */
export function notAsked(hint: string | readonly string[] = "confirm with --yes"): ContinuoError {
  return new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", { hint });
}
