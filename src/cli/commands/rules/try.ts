import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { HOST_NAMES } from "../../../hosts/names.ts";
import { knownProject } from "../../../moments/known-project.ts";
import { findProject } from "../../../moments/project.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import { tryChecks } from "../../../sources/rules/try/try-checks.ts";
import { hasTombstone } from "../../../sources/sessions/records/files.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { choiceOption, exactly, textOption, timeOption, wholeOption } from "../../terminal/options.ts";
import { interruptible, progressBar } from "../../terminal/progress.ts";
import { counted } from "../../terminal/table.ts";
import { boundYoungGeneration } from "../sessions/young-generation.ts";
import { describeTried, triedToJson } from "./describe-tried.ts";
import { type TriedRule, triedRules } from "./tried-rules.ts";

const USAGE = "rules try RULE [--since TIME] [--host HOST] [--project DIR|--all] [--limit N]";
const DEFAULT_DAYS = 90;
const DEFAULT_MOST = 20;
const DAY_MS = 24 * 3_600_000;

/** What the checks of a rule would have said in past sessions. Ctrl-C shows what was found so far. */
export async function tryRule(input: Input): Promise<Outcome> {
  const [, wanted = ""] = exactly(input, 2, USAGE);
  const { env } = input;
  const home = findHome(env);
  const begun = input.now();
  const host = choiceOption<string>(input, "host", HOST_NAMES);
  const since = timeOption(input, "since") ?? begun - DEFAULT_DAYS * DAY_MS;
  const most = wholeOption(input, "limit", 1, 10_000) ?? DEFAULT_MOST;
  const isAll = input.values["all"] === true;
  const project = findProject(resolve(input.cwd, textOption(input, "project") ?? "."));
  const rules = await triedRules(input, wanted);
  if (!rules.some(({ checks }) => checks.some(({ on }) => on !== "run"))) throw noChecks(rules);
  const show = progressBar(input, { isLoud: false });
  const result = await interruptible(async (signal) =>
    tryChecks(rules, {
      history: await input.history(),
      env,
      since,
      most,
      ...(isAll ? {} : { projects: knownProject(project, { home, env }).ids }),
      ...(host === undefined ? {} : { hosts: [host] }),
      isForgotten: (file) => hasTombstone({ home, env }, file),
      isOver: () => signal.aborted,
      onProgress({ share, sessions, ofSessions, breaches }) {
        boundYoungGeneration();
        show(() => ({
          share,
          label: `${sessions} of ${counted(ofSessions, "session")} read, ${counted(breaches, "breach", "breaches")}`,
        }));
      },
    }),
  );
  const about = {
    rules,
    since,
    ms: Math.round(input.now() - begun),
    ...(isAll ? {} : { project: project.root }),
  };
  const view = { screen: input.screen, env, agentOf: await agentNamer(input) };
  return { data: triedToJson(result, about), text: describeTried(result, about, view) };
}

function noChecks(rules: readonly TriedRule[]): ContinuoError {
  const [first] = rules;
  const [mistake] = rules.flatMap(({ lints }) => leftOutChecks(lints));
  if (mistake !== undefined)
    return new ContinuoError(
      "no-checks",
      `the rule "${first?.name}" has no checks to try: ${mistake.message}`,
      mistake.hint === undefined ? {} : { hint: mistake.hint },
    );
  return rules.every(({ checks }) => checks.length === 0)
    ? new ContinuoError("no-checks", `the rule "${first?.name}" has no checks to try`, {
        hint: "add checks to its frontmatter: docs/rules.md shows ten to copy",
      })
    : new ContinuoError("no-checks", `the rule "${first?.name}" only has checks of the kind run`, {
        hint: "commands are not run on past sessions",
      });
}
