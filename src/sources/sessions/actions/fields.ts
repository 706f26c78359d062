import { HOST_NAMES } from "../../../base/host-names.ts";
import { flag, oneOf, optional, text, time, whole } from "../../../moments/actions/fields.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { timeOf } from "../../../search/timespan.ts";
import { projectIds } from "../access.ts";
import type { SessionFilter } from "../library.ts";

// Fields that several actions on sessions share.

/** The most characters of a name, a path or a question. */
export const MOST = 100_000;

const SESSION_ABOUT =
  "a session by its id, the beginning of its id, or its name; last: the newest of this project";
export const SESSION = text(SESSION_ABOUT, { typed: "rest", most: MOST });
/** The same, possibly followed by another argument. */
export const SESSION_WORD = text(SESSION_ABOUT, { typed: "word", most: MOST });

export const QUESTION = text("what you want to know", { typed: "rest", most: MOST });

export const HOST = optional(
  oneOf("only sessions of this agent", HOST_NAMES, { value: "AGENT", fallback: "all agents" }),
);

/** The filter for listed or searched sessions. */
export const FILTERS = {
  host: HOST,
  project: optional(
    text("only sessions of this project: its name or folder; . is the current one", {
      value: "NAME",
      fallback: "all projects",
      most: MOST,
    }),
  ),
  branch: optional(text("only sessions on this git branch", { value: "NAME", fallback: "all branches" })),
  file: optional(
    text("only sessions that read or edited this file", { value: "PATH", fallback: "any file", most: MOST }),
  ),
  since: optional(
    time("only sessions active since then: a day such as 2026-11-01 or yesterday, or 7d", {
      value: "TIME",
      fallback: "any time",
    }),
  ),
  until: optional(time("only sessions that started before then", { value: "TIME", fallback: "now" })),
  children: optional(flag("include sessions of subagents")),
};

export const limit = (about: string, most: number, usual: number) =>
  optional(whole(about, 1, most, { value: "N", fallback: String(usual) }));

export type GivenFilter = {
  readonly [K in "host" | "project" | "branch" | "file" | "since" | "until"]?: string | undefined;
} & { readonly children?: boolean | undefined };

/**
 * Empty values count as absent, because forms send them. `.` is the current project, with all its worktrees and clones.
 */
export function filterOf(
  given: GivenFilter,
  place: Pick<Place, "cwd" | "home" | "env" | "now">,
): SessionFilter {
  const { host, project, branch, file, since, until, children } = given;
  return {
    ...(host && { host }),
    ...(project && { project: project === "." ? projectIds(place) : project }),
    ...(branch && { branch }),
    ...(file && { file }),
    ...(since && { since: timeOf(since, place.now()) }),
    ...(until && { until: timeOf(until, place.now()) }),
    ...(children && { children }),
  };
}
