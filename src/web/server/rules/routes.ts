import { resolve } from "node:path";
import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { withGuardHooks } from "../../../cli/commands/install/guards.ts";
import { type Imagined, type JudgedRules, judge } from "../../../cli/commands/rules/judged.ts";
import type { Catalog } from "../../../sources/rules/catalog/catalog-rule.ts";
import type { Reaction } from "../../../sources/rules/checks/check.ts";
import { NOTHING_SO_FAR } from "../../../sources/rules/checks/commands-so-far.ts";
import { judgeCall } from "../../../sources/rules/checks/judge.ts";
import { lineOf } from "../../../sources/rules/checks/lines.ts";
import { checkFinder, checkSetOf } from "../../../sources/rules/checks/rule-checks.ts";
import { HOOK_LIMITS } from "../../../sources/rules/files/limits.ts";
import { acceptedTexts, projectRuns } from "../../../sources/rules/run/runs.ts";
import { readMutes } from "../../../store/mutes.ts";
import { readTrust, setTrust } from "../../../store/trust.ts";
import type { RulesList, TryAnswer } from "../../api/rules.ts";
import { holds } from "../files/holds.ts";
import { chosenProject, knownProjects } from "../files/projects.ts";
import { readBody, readQuery, text } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { ruleDeliveries } from "./deliveries.ts";
import { refusedRows, ruleRows, shortText, trustState } from "./views.ts";

const MAX_PATH = 4_096;
const MAX_PROMPT = 50_000;
const MAX_COMMAND = 20_000;
const MOST_TRIED = 500;

const PROJECT = text(MAX_PATH);
const LIST = v.strictObject({ project: v.optional(PROJECT) });
const TRY = v.strictObject({
  project: PROJECT,
  path: v.optional(text(MAX_PATH)),
  prompt: v.optional(text(MAX_PROMPT)),
  command: v.optional(text(MAX_COMMAND)),
});
const TRUST = v.strictObject({ project: PROJECT, checks: text(100), runs: text(100) });
const REVOKE = v.strictObject({ project: PROJECT });

export const rules: Area = {
  name: "rules",
  routes(app, web) {
    const deliveries = ruleDeliveries(web.home);

    app.get("/api/rules", async (c) => {
      const { project: asked } = readQuery(c, LIST);
      const projects = await knownProjects(web);
      const project = await chosenProject(web, projects, asked);
      const found = await judgeIn(web, { directory: project.root });
      const counted = await deliveries();
      const list: RulesList = {
        project,
        projectId: found.project.id,
        projects,
        rules: ruleRows(found, counted, readMutes(web.home).mutes),
        total: found.judged.length,
        refused: refusedRows(found),
        trust: trustState(found, readTrust(web.home)),
        ...(counted.since === undefined ? {} : { countedSince: counted.since }),
      };
      return c.json(list);
    });

    app.post("/api/rules/try", async (c) => {
      const { project: asked, path, prompt, command } = await readBody(c, TRY);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      return c.json(await tried(web, root, path, prompt, command));
    });

    app.post("/api/rules/trust", async (c) => {
      const { project: asked, checks, runs } = await readBody(c, TRUST);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      const found = await judgeIn(web, { directory: root });
      const now = trustState(found, readTrust(web.home));
      if (now.checks !== checks || now.runsToken !== runs)
        throw new ContinuoError(
          "checks-changed",
          "the checks of this project changed since they were shown",
          {
            hint: "nothing is trusted; look at them again",
          },
        );
      if (now.total > now.shown.length || now.totalRuns > now.runs.length)
        throw new ContinuoError("checks-changed", "there are more checks than the page shows", {
          hint: `nothing is trusted; to see all of them, run continuo rules trust in ${root}`,
        });
      const accepted = acceptedTexts(projectRuns(found.catalog.rules));
      await setTrust(web.home, found.project.id, checks, web.now(), accepted);
      await withGuardHooks(web, web.home);
      return c.json(changed(web, found));
    });

    app.delete("/api/rules/trust", async (c) => {
      const { project: asked } = await readBody(c, REVOKE);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      const found = await judgeIn(web, { directory: root });
      await setTrust(web.home, found.project.id, undefined, web.now());
      return c.json(changed(web, found));
    });
  },
};

function changed(web: Web, found: JudgedRules) {
  web.publish({ type: "rules" });
  return trustState(found, readTrust(web.home));
}

/** As hooks read them, in bounded time; what is not read yet is read by the next call. */
function judgeIn(web: Web, imagined: Imagined): Promise<JudgedRules> {
  return judge(web, imagined, { limits: HOOK_LIMITS, readOnly: false });
}

async function tried(
  web: Web,
  root: string,
  path: string | undefined,
  prompt: string | undefined,
  command: string | undefined,
): Promise<TryAnswer> {
  if (path !== undefined && path !== "" && !holds(root, resolve(root, path)))
    throw new ContinuoError("usage", "the path is not inside the project", { hint: `a file below ${root}` });
  const before = await judgeIn(web, { directory: root });
  const wasActive = new Set(
    before.judged.filter(({ judgement }) => judgement.active).map(({ rule }) => rule.file.key),
  );
  const { judged, catalog, project } = await judgeIn(web, {
    directory: root,
    ...(path === undefined || path === "" ? {} : { paths: [path] }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(command === undefined || command === "" ? {} : { tools: [SHELL] }),
  });
  const active = judged.filter(({ judgement }) => judgement.active);
  const verdict = command === undefined || command === "" ? undefined : verdictOn(command, catalog);
  return {
    rules: active.slice(0, MOST_TRIED).map(({ rule, tokens, judgement }) => ({
      key: rule.file.key,
      name: shortText(rule.name),
      path: rule.file.path,
      because: shortText(judgement.because()),
      tokens,
      isNew: !wasActive.has(rule.file.key),
    })),
    total: active.length,
    others: judged
      .filter(({ judgement }) => !judgement.active)
      .slice(0, MOST_TRIED)
      .map(({ rule, judgement }) => ({
        key: rule.file.key,
        name: shortText(rule.name),
        because: shortText(judgement.because()),
      })),
    ...(verdict === undefined ? {} : { verdict }),
    isTrusted: readTrust(web.home).projects.includes(project.id),
  };
}

const STRICTEST: readonly Reaction[] = ["deny", "ask", "remind", "report"];

/** What the strictest of the checks that a command breaks says, in a session that has run nothing yet. */
function verdictOn(command: string, { rules }: Catalog): TryAnswer["verdict"] {
  const call = { name: SHELL, input: { command }, command };
  const { breaches } = judgeCall(checkSetOf(rules), call, NOTHING_SO_FAR);
  const action = STRICTEST.find((one) => breaches.some(({ reaction }) => reaction === one));
  const breach = breaches.find(({ reaction }) => reaction === action);
  if (action === undefined || breach === undefined) return undefined;
  return { action, message: shortText(lineOf(breach, checkFinder(rules)(breach), "would break")) };
}

/** The tool that runs commands, as most hosts call it. Rules name tools without regard to case. */
const SHELL = "Bash";
