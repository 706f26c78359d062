import { ContinuoError } from "../../../base/errors.ts";

/** Models are named, and none of them can be used: each problem says of one what would make it usable. */
export function unusable(problems: readonly string[]): ContinuoError {
  return new ContinuoError("model-unusable", `no model in modelKeys can be used: ${problems.join("; ")}`, {
    hint: "until one can, records are in the sessions' own words",
  });
}
