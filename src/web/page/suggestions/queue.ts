/** Determines which suggestion is shown. Pure, so that it can be tested without a browser. */

import type { Scope, Suggestion } from "../../api/suggestions.ts";

interface Named {
  readonly id: string;
}

/** Suggestions that were not decided in this page. The server's list may be older than the decision. */
export function stillPending<T extends Named>(all: readonly T[], decided: ReadonlySet<string>): readonly T[] {
  return all.filter(({ id }) => !decided.has(id));
}

/** The chosen one; if it is gone, the one in its place, or the last. */
export function current<T extends Named>(
  pending: readonly T[],
  chosen: { readonly id: string | undefined; readonly at: number },
): { readonly one: T; readonly at: number } | undefined {
  const found = pending.findIndex(({ id }) => id === chosen.id);
  const at = found >= 0 ? found : Math.min(chosen.at, pending.length - 1);
  const one = pending[at];
  return one === undefined ? undefined : { one, at };
}

/** What accepting does, in one sentence. */
export function effectOf(
  { project, kind, isFixed }: Pick<Suggestion, "project" | "isFixed"> & Partial<Pick<Suggestion, "kind">>,
  scope: Scope,
): string {
  if (kind === "check" && isFixed === true)
    return "It is written into the rule's file and applies from then on.";
  const where = scope === "project" && project !== undefined ? `only in ${project}` : "for all projects";
  if (kind === "check") return `It becomes a rule that holds ${where}.`;
  return `It holds ${where}, from the next session or compaction on.`;
}
