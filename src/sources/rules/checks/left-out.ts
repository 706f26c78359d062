import type { Lint } from "../rule.ts";

/**
 * The lints saying that some or all of a rule's checks are left out, so that their silence is not mistaken for success.
 */
export function leftOutChecks(lints: readonly Lint[]): readonly Lint[] {
  return lints.filter(({ code }) => /^(?:check|guard)-/.test(code));
}
