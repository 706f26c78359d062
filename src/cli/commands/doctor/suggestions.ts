import { describeError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { readWaiting, waitingPath } from "../../../sources/seed/file/waiting.ts";
import { placeFor } from "../../../sources/seed/learning/inbox.ts";
import { readProfile } from "../../../sources/seed/learning/profile.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** What waits for the user's decision, and whether it can be read. */
export const checkSuggestions: Check = ({ env }, home) => {
  if (home === undefined) return [];
  const path = waitingPath(home.root);
  try {
    const profile = readProfile(placeFor(home.root, env));
    const pending = profile.pending().length;
    const heldBack = profile.heldBack().size;
    const similar = heldBack === 0 ? "" : ` (${heldBack} similar to rejected ones)`;
    const damaged = readWaiting(path).damaged.length;
    return [
      ...(pending === 0 ? [] : [ok("suggestions", `${pending} to decide${similar}: continuo review`)]),
      ...(damaged === 0
        ? []
        : [
            warn(
              "suggestions",
              `${path}: ${count(damaged, "line")} cannot be read`,
              "they are kept; fix or delete them by hand",
            ),
          ]),
    ];
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("suggestions", message, hint ?? "make the file readable")];
  }
};
