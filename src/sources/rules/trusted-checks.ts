import { fingerprint } from "../../base/fingerprint.ts";
import type { Trust } from "../../store/trust.ts";
import type { RuleFile } from "./files/folders.ts";
import type { Check } from "./rule.ts";

/** A check with its rule and the rule's file. */
export interface ShownCheck {
  readonly rule: string;
  readonly path: string;
  readonly check: Check;
}

interface Checked {
  readonly name: string;
  readonly file: Pick<RuleFile, "path" | "scope">;
  readonly checks: readonly Check[];
}

/**
 * The project's checks that can block a call. Checks that run programs are shown and accepted separately (`runs.ts`).
 */
export function checksToTrust(rules: readonly Checked[]): ShownCheck[] {
  return rules.flatMap(({ name, file, checks }) =>
    checks
      .filter(({ reaction }) => (reaction === "deny" || reaction === "ask") && file.scope === "project")
      .map((check) => ({ rule: name, path: file.path, check })),
  );
}

/** Does not use the checks' ids, because those can be forged. */
export function fingerprintOf(checks: readonly ShownCheck[]): string {
  return unforgeable(checks.map(({ path, check }) => JSON.stringify([path, contentOf(check)])));
}

/**
 * A secure hash of what was shown, in any order. The short fingerprint could be forged by whoever writes the texts.
 * Used only when trusting, because `node:crypto` takes milliseconds to load.
 */
export function unforgeable(shown: readonly string[]): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(shown.toSorted().join("\n")).digest("hex");
}

/** The whole content of a check, in a fixed order. */
function contentOf({ id: _, ...check }: Check): unknown {
  const files = "files" in check ? check.files : undefined;
  const texts = files && [files.include, files.exclude].map((all) => all.map(({ text }) => text));
  return Object.entries({ ...check, files: texts })
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The fingerprint used until 2026-11, so that projects trusted then stay trusted. */
function oldFingerprintOf(checks: readonly ShownCheck[]): string {
  const all = checks.map(({ path, check }) =>
    JSON.stringify(
      check.on === "calls"
        ? [path, check.reaction, check.tools, check.pattern ?? null, check.message]
        : [path, check.on, check.id],
    ),
  );
  return fingerprint(all.sort().join("\n"));
}

const OLD_LENGTH = 16;

/** Trust also covers later checks, so the user should know if they differ from those that were shown. */
export function haveChanged(trust: Trust, project: string, checks: readonly ShownCheck[]): boolean {
  const shown = Object.hasOwn(trust.shown, project) ? trust.shown[project] : undefined;
  if (!trust.projects.includes(project) || shown === undefined) return false;
  return shown !== (shown.length === OLD_LENGTH ? oldFingerprintOf(checks) : fingerprintOf(checks));
}
