import { quote } from "../../compose/escape.ts";
import { stricter } from "../../moments/judge.ts";
import type { Surroundings, Verdict } from "../../moments/source.ts";
import type { ToolMoment } from "../../moments/types.ts";
import { dailyWarning } from "../../store/daily-warning.ts";
import { homeAt } from "../../store/home.ts";
import { readTrust } from "../../store/trust.ts";
import { readCatalog } from "./catalog.ts";
import type { Guard } from "./rule.ts";
import { isSameTool } from "./tool-names.ts";

/** Far more than any honest call has. What is longer is not searched through, and a human is asked. */
const MAX_ARGUMENTS = 2_000_000;

/**
 * The strictest guard that a tool call runs into, in projects that the user trusts. Nothing of a rule file is ever
 * run.
 */
export async function guard(
  moment: ToolMoment,
  surroundings: Pick<Surroundings, "settings" | "env" | "home" | "report">,
): Promise<Verdict | undefined> {
  const { projects, damage } = readTrust({ root: surroundings.home });
  if (damage !== undefined) {
    // Whom the user trusts is not known, so nobody is; that the guards are off must not go unnoticed.
    dailyWarning(
      homeAt(surroundings.home),
      "trust",
      moment.at,
      surroundings.report,
    )("trust-damaged", damage.message, damage.hint);
    return undefined;
  }
  if (!projects.includes(moment.project.id)) return undefined;
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
  const args = JSON.stringify(moment.tool.input);
  let strictest: Verdict | undefined;
  for (const rule of catalog.rules) {
    for (const one of rule.guards) {
      if (!(await applies(one, moment.tool.name, args))) continue;
      const isCut = one.pattern !== undefined && args.length > MAX_ARGUMENTS;
      const message = quote(
        `${one.message} (rule "${rule.name}"${isCut ? "; the call is too long to be checked" : ""})`,
      );
      strictest = stricter(strictest, { action: isCut ? "ask" : one.action, message });
    }
  }
  return strictest;
}

async function applies(one: Guard, tool: string, args: string): Promise<boolean> {
  if (!one.tools.some((name) => name === "*" || isSameTool(name, tool))) return false;
  if (one.pattern === undefined || args.length > MAX_ARGUMENTS) return true;
  // JavaScript's own engine could be made to hang by an innocent pattern and long arguments.
  const { toFinder } = await import("./linear-regex.ts");
  return toFinder(one.pattern)?.(args) ?? false;
}
