import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import type { Action, ActionGroup } from "../ports/action.ts";

/** The action whose name is the longest prefix of these words. */
export function findAction(
  groups: readonly ActionGroup[],
  words: readonly string[],
): { readonly action: Action; readonly rest: readonly string[] } {
  const [name = "", second = ""] = words;
  const group = groups.find((one) => one.name === name);
  const named = group?.actions.find((one) => one.name === `${name} ${second}`);
  if (named !== undefined) return { action: named, rest: words.slice(2) };
  const [first] = group?.actions ?? [];
  // `rules` alone means its first action; a second word must be a subcommand's name.
  if (first !== undefined && (first.name === name || words.length === 1))
    return { action: first, rest: words.slice(1) };
  const known = group === undefined ? groups.map((one) => one.name) : group.actions.map((one) => one.name);
  const near = nearest(group === undefined ? name : `${name} ${second}`, known);
  throw new ContinuoError("no-such-action", `there is no "${words.slice(0, 2).join(" ").slice(0, 80)}"`, {
    hint: near === undefined ? `there is: ${known.join(", ")}` : `did you mean "${near}"?`,
  });
}
