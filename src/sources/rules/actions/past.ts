import { ContinuoError } from "../../../base/errors.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { knownProject } from "../../../moments/project/known-project.ts";
import type { Project } from "../../../moments/types.ts";
import { isForgotten } from "../../../store/tombstones.ts";
import { leftOutChecks } from "../checks/left-out.ts";
import type { SessionsQuery } from "../try/past-sessions.ts";
import type { TriedRule } from "./tried-rules.ts";

/** Defaults that the command and the page share for trying a rule on past sessions. */

export const TRY_DAYS = 90;
const DAY_MS = 24 * 3_600_000;

export function tryBegins(now: number): number {
  return now - TRY_DAYS * DAY_MS;
}

/** The past sessions of a project, or of all projects, without forgotten ones. */
export async function pastOf(
  { env, home, history }: Pick<Place, "env" | "home" | "history">,
  project: Project | undefined,
): Promise<SessionsQuery> {
  return {
    history: await history(),
    env,
    ...(project === undefined ? {} : { projects: knownProject(project, { home, env }).ids }),
    isForgotten: (file) => isForgotten(home, file),
  };
}

/** An example of a check, for rules that have none. */
export const CHECK_EXAMPLE = String.raw`checks: { edits: { never: '\bany\b' } }`;

/** Throws with the reason if no rule has a check that can be tried on past sessions. */
export function requireChecks(rules: readonly TriedRule[], what = `the rule "${rules[0]?.name}"`): void {
  if (rules.some(({ checks }) => checks.some(({ on }) => on !== "run"))) return;
  const [mistake] = rules.flatMap(({ lints }) => leftOutChecks(lints));
  if (mistake !== undefined)
    throw new ContinuoError(
      "no-checks",
      `${what} has no checks to try: ${mistake.message}`,
      mistake.hint === undefined ? {} : { hint: mistake.hint },
    );
  throw rules.every(({ checks }) => checks.length === 0)
    ? new ContinuoError("no-checks", `${what} has no checks to try`, {
        hint: `add checks to its frontmatter, such as ${CHECK_EXAMPLE}; more: continuo help rules`,
      })
    : new ContinuoError("no-checks", `${what} only has checks of the kind run`, {
        hint: "commands are not run on past sessions",
      });
}
