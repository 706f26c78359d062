import { ContinuoError } from "../../../base/errors.ts";
import type { SeedError } from "./checks.ts";
import { describeErrors, type SeedRead } from "./load.ts";

export type UnusableSeed = Extract<SeedRead, { state: "damaged" }>;

interface WhyUnusable {
  readonly code: "seed-damaged" | "seed-newer" | "seed-too-large" | "seed-unreadable";
  /** For the user, with the file's path. */
  readonly message: string;
  readonly hint: string;
}

/**
 * Why the file is not a usable seed, and what to do about it. All texts about this come from here, because only one of
 * the four reasons is damage: in the other cases a repair would replace the user's own text by an older version.
 */
export function whyUnusable({ path, errors }: UnusableSeed): WhyUnusable {
  const what = describeErrors(errors);
  const is = (code: SeedError["code"]) => errors.some((error) => error.code === code);
  if (is("version_mismatch"))
    return {
      code: "seed-newer",
      message: `${path} is from a newer version: ${what}`,
      hint: "update Continuo",
    };
  if (is("too_large"))
    return {
      code: "seed-too-large",
      message: `${path} is too large: it ${what}`,
      hint: "remove from it what you do not need; nothing in it was changed",
    };
  if (is("unreadable"))
    return {
      code: "seed-unreadable",
      message: `${path} ${what}`,
      hint: "make it a file that you can read; Continuo does not replace what it cannot read",
    };
  return {
    code: "seed-damaged",
    message: `${path} is damaged: ${what}`,
    hint: "to see what can be restored: continuo seed repair",
  };
}

/** Only damage can be repaired from the history. */
export function isRepairable(read: UnusableSeed): boolean {
  return whyUnusable(read).code === "seed-damaged";
}

export function unusable(read: UnusableSeed): ContinuoError {
  const { code, message, hint } = whyUnusable(read);
  return new ContinuoError(code, message, { hint });
}
