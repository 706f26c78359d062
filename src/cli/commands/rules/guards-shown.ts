import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Guard } from "../../../sources/rules/rule.ts";
import type { Trust } from "../../../store/trust.ts";

export interface ShownGuard extends Guard {
  readonly rule: string;
  readonly path: string;
}

interface Guarded {
  readonly name: string;
  readonly file: { readonly path: string };
  readonly guards: readonly Guard[];
}

export function guardsOf(rules: readonly Guarded[]): ShownGuard[] {
  return rules.flatMap(({ name, file, guards }) =>
    guards.map((guard) => ({ rule: name, path: file.path, ...guard })),
  );
}

/** What a person is shown before trusting a project; a line each. */
export function guardLines(guards: readonly ShownGuard[]): string[] {
  return guards.map(({ action, tools, pattern, message, path }) => {
    const when = pattern === undefined ? "" : ` when /${pattern}/`;
    return `  ${oneLine(`${action} ${tools.join(", ")}${when}: ${message} (${path})`)}`;
  });
}

export function fingerprintOf(guards: readonly ShownGuard[]): string {
  const all = guards.map(({ path, action, tools, pattern, message }) =>
    JSON.stringify([path, action, tools, pattern ?? null, message]),
  );
  return fingerprint(all.sort().join("\n"));
}

/** Trust covers later guards too, so the user should know when there are others than were shown. */
export function haveChanged(trust: Trust, project: string, guards: readonly ShownGuard[]): boolean {
  const shown = Object.hasOwn(trust.shown, project) ? trust.shown[project] : undefined;
  return trust.projects.includes(project) && shown !== undefined && shown !== fingerprintOf(guards);
}
