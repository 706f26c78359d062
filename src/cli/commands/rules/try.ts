import { resolve } from "node:path";
import { HOST_NAMES } from "../../../hosts/names.ts";
import { findProject } from "../../../moments/project/project.ts";
import { tryChecks } from "../../../sources/rules/try/try-checks.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { choiceOption, exactly, textOption, timeOption, wholeOption } from "../../terminal/options.ts";
import { interruptible, progressBar } from "../../terminal/progress.ts";
import { counted } from "../../terminal/table.ts";
import { boundYoungGeneration } from "../sessions/young-generation.ts";
import { describeTried, triedToJson } from "./describe-tried.ts";
import { pastOf, requireChecks, tryBegins } from "./past.ts";
import { triedRules } from "./tried-rules.ts";

const USAGE = "rules try RULE [--since TIME] [--host HOST] [--project DIR|--all] [--limit N]";
const DEFAULT_MOST = 20;

/** What the checks of a rule would have said in past sessions. Ctrl-C shows what was found so far. */
export async function tryRule(input: Input): Promise<Outcome> {
  const [, wanted = ""] = exactly(input, 2, USAGE);
  const { env } = input;
  const begun = input.now();
  const host = choiceOption<string>(input, "host", HOST_NAMES);
  const since = timeOption(input, "since") ?? tryBegins(begun);
  const most = wholeOption(input, "limit", 1, 10_000) ?? DEFAULT_MOST;
  const isAll = input.values["all"] === true;
  const project = findProject(resolve(input.cwd, textOption(input, "project") ?? "."));
  const rules = await triedRules(input, wanted);
  requireChecks(rules);
  const show = progressBar(input, { isLoud: false });
  const result = await interruptible(async (signal) =>
    tryChecks(rules, {
      ...(await pastOf(input, isAll ? undefined : project)),
      since,
      most,
      ...(host === undefined ? {} : { hosts: [host] }),
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
