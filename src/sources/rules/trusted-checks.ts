import { fingerprint } from "../../base/fingerprint.ts";
import type { Trust } from "../../store/trust.ts";
import type { RuleFile } from "./files/folders.ts";
import type { Check } from "./rule.ts";

/** A check with the rule and the file that it is in. */
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

/** The project's checks that stop a call. What runs a program is shown and accepted on its own (`runs.ts`). */
export function checksToTrust(rules: readonly Checked[]): ShownCheck[] {
  return rules.flatMap(({ name, file, checks }) =>
    checks
      .filter(({ reaction }) => (reaction === "deny" || reaction === "ask") && file.scope === "project")
      .map((check) => ({ rule: name, path: file.path, check })),
  );
}

export function fingerprintOf(checks: readonly ShownCheck[]): string {
  const all = checks.map(({ path, check }) =>
    JSON.stringify(
      check.on === "calls" // as it was before there were other checks: a project that is trusted stays so
        ? [path, check.reaction, check.tools, check.pattern ?? null, check.message]
        : [path, check.on, check.id],
    ),
  );
  return fingerprint(all.sort().join("\n"));
}

/** Trust also covers later checks, so the user should know when they differ from those that were shown. */
export function haveChanged(trust: Trust, project: string, checks: readonly ShownCheck[]): boolean {
  const shown = Object.hasOwn(trust.shown, project) ? trust.shown[project] : undefined;
  return trust.projects.includes(project) && shown !== undefined && shown !== fingerprintOf(checks);
}
