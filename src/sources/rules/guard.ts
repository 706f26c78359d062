import type { Surroundings, Verdict } from "../../moments/source.ts";
import type { ToolMoment } from "../../moments/types.ts";
import { trustedProjects } from "../../store/trust.ts";
import { readCatalog } from "./catalog.ts";
import type { Guard } from "./rule.ts";

const SEVERITY = { warn: 0, ask: 1, deny: 2 } as const;

/** Arguments longer than this are looked at only so far: a pattern must stay quick whatever a tool is given. */
const MAX_ARGUMENTS = 100_000;

/**
 * The strictest guard that a tool call runs into, in projects that the user trusts. Nothing of a rule file is ever
 * run.
 */
export async function guard(
  moment: ToolMoment,
  surroundings: Pick<Surroundings, "settings" | "env" | "home">,
): Promise<Verdict | undefined> {
  if (!trustedProjects({ root: surroundings.home }).includes(moment.project.id)) return undefined;
  const { home, env, settings } = surroundings;
  const { session, project, at: now } = moment;
  const catalog = await readCatalog({
    root: project.root,
    home,
    env,
    settings,
    host: session.host,
    readOnly: true,
    now,
  });
  const args = JSON.stringify(moment.tool.input).slice(0, MAX_ARGUMENTS);
  let strictest: Verdict | undefined;
  for (const rule of catalog.rules) {
    for (const one of rule.guards) {
      if (!(await applies(one, moment.tool.name, args))) continue;
      if (strictest !== undefined && SEVERITY[one.action] <= SEVERITY[strictest.action]) continue;
      strictest = { action: one.action, message: `${one.message} (rule "${rule.name}")` };
    }
  }
  return strictest;
}

async function applies(one: Guard, tool: string, args: string): Promise<boolean> {
  if (!one.tools.includes("*") && !one.tools.includes(tool)) return false;
  if (one.pattern === undefined) return true;
  // JavaScript's own engine could be made to hang by an innocent pattern and long arguments.
  const { toFinder } = await import("./linear-regex.ts");
  return toFinder(one.pattern)?.(args) ?? false;
}
