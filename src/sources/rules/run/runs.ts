import type { Trust } from "../../../store/trust.ts";
import type { Check, RunCheck } from "../rule.ts";

/** The parts of a catalog's rule that are needed here. */
export interface RunningRule {
  readonly name: string;
  readonly file: { readonly key: string; readonly path: string; readonly scope: "project" | "global" };
  readonly checks: readonly Check[];
}

/** A command that a rule runs on changed files. */
export interface Run {
  /** The rule's key, name and file. */
  readonly rule: string;
  readonly name: string;
  readonly path: string;
  /** Whether the rule is the user's own and not the project's. */
  readonly isUsers: boolean;
  readonly check: RunCheck;
}

/** Longer commands are never accepted, because nobody reads them. */
const MAX_ACCEPTED = 4000;

export function runsOf(rules: readonly RunningRule[]): Run[] {
  return rules.flatMap(({ name, file, checks }) =>
    checks.flatMap((check): Run[] =>
      check.on === "run"
        ? [{ rule: file.key, name, path: file.path, isUsers: file.scope === "global", check }]
        : [],
    ),
  );
}

/** The runs that need the user's consent: those of the project's own rules. */
export function projectRuns(rules: readonly RunningRule[]): Run[] {
  return runsOf(rules).filter((run) => !run.isUsers);
}

/**
 * What is stored when the user accepts a run, and compared before it runs: the whole text, because a short hash can be
 * forged. Undefined if it is too long to be accepted.
 */
export function acceptedText({ rule, check }: Pick<Run, "rule" | "check">): string | undefined {
  const { include, exclude } = check.files;
  const text = JSON.stringify([
    rule,
    check.command,
    include.map((one) => one.text),
    exclude.map((one) => one.text),
    check.timeoutMs,
  ]);
  return text.length > MAX_ACCEPTED ? undefined : text;
}

export function acceptedTexts(runs: readonly Run[]): string[] {
  return [...new Set(runs.flatMap((run) => acceptedText(run) ?? []))].sort();
}

/** Whether a run may run in this project. Runs of the user's own rules only need the project's trust. */
export function mayRun(
  trust: Pick<Trust, "projects" | "runs">,
  project: string,
  run: Pick<Run, "rule" | "isUsers" | "check">,
): boolean {
  if (!trust.projects.includes(project)) return false;
  if (run.isUsers) return true;
  const text = acceptedText(run);
  const accepted = Object.hasOwn(trust.runs, project) ? trust.runs[project] : undefined;
  return text !== undefined && accepted?.includes(text) === true;
}

/** Runs of a trusted project's rules that the user has not accepted in this form. */
export function waitingRuns(
  trust: Pick<Trust, "projects" | "runs">,
  project: string,
  runs: readonly Run[],
): Run[] {
  return trust.projects.includes(project) ? runs.filter((run) => !mayRun(trust, project, run)) : [];
}
