import { describeError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import {
  waitingPath as checksPath,
  readWaiting as readChecks,
} from "../../../sources/rules/drafts/waiting.ts";
import { readWaiting, waitingPath } from "../../../sources/seed/file/waiting.ts";
import { readProfile } from "../../../sources/seed/learning/profile.ts";
import { placeFor } from "../../../sources/seed/learning/suggestions.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

/** What waits for the user's decision, and whether it can be read. */
export const checkSuggestions: Check = ({ env }, home) => {
  if (home === undefined) return [];
  return [...learnings(home.root, env), ...checks(home.root)];
};

function learnings(home: string, env: NodeJS.ProcessEnv): NamedFinding[] {
  const path = waitingPath(home);
  return orFailure(() => {
    const profile = readProfile(placeFor(home, env));
    const pending = profile.pending().length;
    const heldBack = profile.heldBack().size;
    const similar = heldBack === 0 ? "" : ` (${heldBack} similar to rejected ones)`;
    return [
      ...(pending === 0 ? [] : [ok("suggestions", `${pending} to decide${similar}: continuo review`)]),
      ...damagedLines(path, readWaiting(path).damaged.length),
    ];
  });
}

/** Drafts of checks, and questions about rules. */
function checks(home: string): NamedFinding[] {
  return orFailure(() => {
    const { drafts, questions, damaged } = readChecks(home);
    const what = [
      ...(drafts.length === 0 ? [] : [count(drafts.length, "check")]),
      ...(questions.length === 0 ? [] : [count(questions.length, "question")]),
    ].join(", ");
    return [
      ...(what === "" ? [] : [ok("suggestions", `${what} to decide: continuo review`)]),
      ...damagedLines(checksPath(home), damaged.length),
    ];
  });
}

function damagedLines(path: string, damaged: number): NamedFinding[] {
  if (damaged === 0) return [];
  const message = `${path}: ${count(damaged, "line")} cannot be read`;
  return [warn("suggestions", message, "they are kept; correct or delete them by hand")];
}

function orFailure(find: () => NamedFinding[]): NamedFinding[] {
  try {
    return find();
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("suggestions", message, hint ?? "make the file readable")];
  }
}
