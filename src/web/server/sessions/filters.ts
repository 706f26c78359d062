import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { A_TIME, timeOf } from "../../../search/timespan.ts";
import { projectIds } from "../../../sources/sessions/access.ts";
import type { SessionFilter } from "../../../sources/sessions/library.ts";
import { flag, text } from "../requests.ts";
import type { Web } from "../web.ts";

/** The filters of lists and searches. Empty values count as absent, as the page's address has them. */
export const FILTERS = {
  project: v.optional(text(4096)),
  host: v.optional(text(64)),
  branch: v.optional(text(500)),
  file: v.optional(text(4096)),
  since: v.optional(text(40)),
  until: v.optional(text(40)),
  children: v.optional(flag()),
};

type Given = { readonly [K in keyof Omit<typeof FILTERS, "children">]?: string | undefined } & {
  readonly children?: boolean | undefined;
};

/** `.` is the project in which `continuo web` was started, with all its worktrees and clones. */
export function filterOf(web: Web, given: Given): SessionFilter {
  const { project, host, branch, file, children } = given;
  const since = time(web, "since", given.since);
  const until = time(web, "until", given.until);
  return {
    ...(project && { project: project === "." ? projectIds(web) : project }),
    ...(host && { host }),
    ...(branch && { branch }),
    ...(file && { file }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(children === true && { children }),
  };
}

const MINUTE = 60_000;

/** To the minute, so that a list that the page asks for part by part keeps its order. */
function time(web: Web, name: string, given: string | undefined): number | undefined {
  if (!given) return undefined;
  const found = /^\d{9,15}$/.test(given) ? Number(given) : timeOf(given, web.now());
  if (found === undefined)
    throw new ContinuoError("invalid-request", `query: "${name}" is not a time`, { hint: `give ${A_TIME}` });
  return Math.floor(found / MINUTE) * MINUTE;
}
