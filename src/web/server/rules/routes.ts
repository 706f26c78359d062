import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { withGuardHooks } from "../../../cli/commands/install/guards.ts";
import { type AddedRule, add } from "../../../cli/commands/rules/add.ts";
import type { JudgedRules } from "../../../cli/commands/rules/judged.ts";
import { acceptedTexts, projectRuns } from "../../../sources/rules/run/runs.ts";
import { readMutes } from "../../../store/mutes.ts";
import { readTrust, setTrust } from "../../../store/trust.ts";
import type { AddRule, RulesList } from "../../api/rules.ts";
import { chosenProject, knownProjects } from "../files/projects.ts";
import { readBody, readQuery, text } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { ruleDeliveries } from "./deliveries.ts";
import { triedOnHistory } from "./history.ts";
import { followedRules } from "./report.ts";
import { trustState } from "./trust-state.ts";
import { tried } from "./try.ts";
import { judgeIn, refusedRows, ruleRows } from "./views.ts";

const MAX_PATH = 4_096;
const MAX_PROMPT = 50_000;
const MAX_COMMAND = 20_000;
/** An edit of thousands of lines. */
const MAX_EDIT = 200_000;

const PROJECT = text(MAX_PATH);
const LIST = v.strictObject({ project: v.optional(PROJECT) });
const TRY = v.strictObject({
  project: PROJECT,
  path: v.optional(text(MAX_PATH)),
  prompt: v.optional(text(MAX_PROMPT)),
  command: v.optional(text(MAX_COMMAND)),
  text: v.optional(text(MAX_EDIT)),
});
const ADD = v.strictObject({
  project: PROJECT,
  text: text(MAX_PROMPT),
  scope: v.picklist(["project", "user"]),
  globs: v.optional(text(MAX_PATH)),
  name: v.optional(text(200)),
});
const HISTORY = v.strictObject({ project: PROJECT, text: text(MAX_EDIT), rule: v.optional(text(MAX_PATH)) });
const TRUST = v.strictObject({ project: PROJECT, checks: text(100), runs: text(100) });
const REVOKE = v.strictObject({ project: PROJECT });

export const rules: Area = {
  name: "rules",
  routes(app, web) {
    const deliveries = ruleDeliveries(web.home);
    const report = followedRules(web);

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
        countedSince: counted.since,
      };
      return c.json(list);
    });

    app.post("/api/rules", async (c) => {
      const { project: asked, ...rule } = await readBody(c, ADD);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      return c.json(await addRule(web, root, rule));
    });

    app.post("/api/rules/try", async (c) => {
      const { project: asked, ...attempt } = await readBody(c, TRY);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      return c.json(await tried(web, root, attempt));
    });

    app.post("/api/rules/try/history", async (c) => {
      const { project: asked, ...rule } = await readBody(c, HISTORY);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      return c.json(await triedOnHistory(web, root, rule, c.req.raw.signal));
    });

    app.get("/api/rules/report", async (c) => {
      const { project: asked } = readQuery(c, LIST);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      return c.json(await report(root));
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

/** Nothing is read from it. */
const NO_STDIN = -1;

interface Wanted extends Pick<AddRule, "text" | "scope"> {
  readonly globs?: string | undefined;
  readonly name?: string | undefined;
}

/** Exactly `continuo rules add`, with its checks and its warnings. */
async function addRule(web: Web, root: string, { text, scope, globs, name }: Wanted): Promise<AddedRule> {
  const given = (value: string | undefined) => (value?.trim() ? value : undefined);
  const files = given(globs);
  const { data } = await add({
    ...web,
    stdin: NO_STDIN,
    positionals: ["add", text],
    values: {
      ...(scope === "user" ? { user: true } : { project: root }),
      ...(files === undefined ? {} : { globs: [files] }),
      name: given(name),
    },
  });
  web.publish({ type: "rules" });
  return data;
}
