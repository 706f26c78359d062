import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { readMutes } from "../../../store/mutes.ts";
import { readTrust } from "../../../store/trust.ts";
import type { RulesList } from "../../api/rules.ts";
import { actNamed } from "../actions.ts";
import { chosenProject, knownProjects } from "../files/projects.ts";
import { readBody, readQuery, text } from "../requests.ts";
import type { Area } from "../web.ts";
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
      const { project: asked, text, scope, globs, name } = await readBody(c, ADD);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      const given = (value: string | undefined) => (value?.trim() ? value : undefined);
      const files = given(globs);
      return c.json(
        await actNamed(web, "rules add", {
          text,
          globs: files && [files],
          name: given(name),
          ...(scope === "user" ? { user: true } : { project: root }),
        }),
      );
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
      if (now.total > now.shown.length || now.totalRuns > now.runs.length)
        throw new ContinuoError("checks-changed", "there are more checks than the page shows", {
          hint: `nothing is trusted; to see all of them, run continuo rules trust in ${root}`,
        });
      await actNamed(web, "rules trust", { project: root, checks, runs });
      return c.json(trustState(found, readTrust(web.home)));
    });

    app.delete("/api/rules/trust", async (c) => {
      const { project: asked } = await readBody(c, REVOKE);
      const { root } = await chosenProject(web, await knownProjects(web), asked);
      const found = await judgeIn(web, { directory: root });
      await actNamed(web, "rules untrust", { project: root });
      return c.json(trustState(found, readTrust(web.home)));
    });
  },
};
