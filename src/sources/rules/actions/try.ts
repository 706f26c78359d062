import { resolve } from "node:path";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { count } from "../../../base/when.ts";
import { fields, oneOf, optional, PROJECT, text, time } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { findProject } from "../../../moments/project/project.ts";
import { timeOf } from "../../../search/timespan.ts";
import { describeTried, transcriptNames, triedToJson } from "./describe-tried.ts";
import { pastOf, requireChecks, TRY_DAYS, tryBegins } from "./past.ts";
import { ALL, LIMIT, SINCE_HELP } from "./report.ts";
import { triedRules } from "./tried-rules.ts";

const DEFAULT_MOST = 20;

/** What the checks of a rule would have reported in past sessions. */
export const tryRule = action({
  name: "rules try",
  about: "try a rule's checks on your past sessions",
  guide:
    "Shows what the checks would have reported, before you use them. RULE is a rule of this project or a file.",
  effect: "reads",
  isLong: true,
  input: fields({
    rule: text("a rule by its name or its file; try also takes a path", { typed: "word" }),
    project: PROJECT,
    host: optional(
      oneOf("only sessions of this agent", HOST_NAMES, { value: "AGENT", fallback: "all agents" }),
    ),
    all: ALL,
    since: optional(time(SINCE_HELP, { value: "TIME", fallback: `${TRY_DAYS}d` })),
    limit: LIMIT,
  }),
  examples: [
    ["continuo rules try no-any", "try a rule of this project"],
    ["continuo rules try draft.md --all", "try a file on the sessions of all projects"],
  ],
  async run({ rule, project: folder, host, all = false, since: from, limit = DEFAULT_MOST }, place) {
    const begun = place.now();
    const since = (from === undefined ? undefined : timeOf(from, begun)) ?? tryBegins(begun);
    const project = all ? undefined : findProject(resolve(place.cwd, folder ?? "."));
    const rules = await triedRules(rule, { project: folder, host }, place);
    requireChecks(rules);
    const show = place.progress?.();
    const { tryChecks } = await import("../try/try-checks.ts");
    const result = await tryChecks(rules, {
      ...(await pastOf(place, project)),
      since,
      most: limit,
      ...(host !== undefined && { hosts: [host] }),
      isOver: () => place.signal?.aborted === true,
      onProgress: ({ share, sessions, ofSessions, breaches }) =>
        show?.(() => ({
          share,
          label: `${sessions} of ${count(ofSessions, "session")} read, ${count(breaches, "breach", "breaches")}`,
        })),
    });
    const others = await place.others?.();
    const tried = { rules, since, ms: Math.round(place.now() - begun), project: project?.root };
    const agents = new Map(result.found.map((one) => [one.host, others?.agentName(one.host) ?? one.host]));
    return { result, tried, agents, nameOf: transcriptNames(others) };
  },
  json: ({ result, tried, nameOf }) => triedToJson(result, tried, nameOf),
  view: describeTried,
});
