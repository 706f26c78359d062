import type { Lint } from "../rule.ts";

/** The lints of a rule that say that one of its checks, or all, are left out: nobody may take their silence for a proof. */
export function leftOutChecks(lints: readonly Lint[]): readonly Lint[] {
  return lints.filter(({ code }) => /^(?:check|guard)-/.test(code));
}
