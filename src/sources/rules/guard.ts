import { quote } from "../../compose/escape.ts";
import { stricter } from "../../moments/judge.ts";
import type { SourceContext, Verdict } from "../../moments/ports/source.ts";
import type { ToolMoment } from "../../moments/types.ts";
import { dailyWarning } from "../../store/daily-warning.ts";
import { homeAt } from "../../store/home.ts";
import { readTrust } from "../../store/trust.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { Budget } from "./matching/linear-regex.ts";
import type { Guard } from "./rule.ts";
import { isSameTool } from "./tool-names.ts";

/** Far more than any honest call has. What is longer is not searched through, and a human is asked. */
const MAX_ARGUMENTS = 2_000_000;

/** For all guards of a call together: a few tenths of a second. Forty guards search a megabyte with it. */
const MAX_STEPS = 40_000_000;
/** What a character of a pattern may cost before the first character of the text is looked at. */
const COMPILING = 100;

/** Whom the user trusts. While the file is damaged nobody is, and that the guards are off must not go unnoticed. */
export function trusted(
  at: number,
  { home, report }: Pick<SourceContext, "home" | "report">,
): readonly string[] {
  const { projects, damage } = readTrust({ root: home });
  if (damage !== undefined)
    dailyWarning(homeAt(home), "trust", at, report)("trust-damaged", damage.message, damage.hint);
  return projects;
}

/**
 * The strictest guard that a tool call runs into, in projects that the user trusts. Nothing of a rule file is ever
 * run.
 */
export async function guard(
  moment: ToolMoment,
  context: Pick<SourceContext, "settings" | "env" | "home" | "report">,
): Promise<Verdict | undefined> {
  const projects = trusted(moment.at, context);
  if (!projects.includes(moment.project.id)) return undefined;
  const { home, env, settings } = context;
  const { session, project, at: now } = moment;
  const catalog = await readCatalog({
    root: project.root,
    home,
    env,
    settings,
    host: session.host,
    readOnly: false,
    now,
    wanted: { kind: "guards" },
  });
  if (catalog.pending.length > 0)
    context.report(
      "rules-pending",
      `${catalog.pending.length} rule files are not read yet; their guards were not asked`,
    );
  const args = JSON.stringify(moment.tool.input);
  const budget: Budget = { left: MAX_STEPS };
  let strictest: Verdict | undefined;
  for (const rule of catalog.rules) {
    for (const one of rule.guards) {
      const met = await meets(one, moment.tool.name, args, budget);
      if (met === false) continue;
      const message = quote(
        `${one.message} (rule "${rule.name}"${met === "unknown" ? "; the call is too long to be checked" : ""})`,
      );
      strictest = stricter(strictest, { action: met === "unknown" ? "ask" : one.action, message });
    }
  }
  return strictest;
}

async function meets(one: Guard, tool: string, args: string, budget: Budget): Promise<boolean | "unknown"> {
  if (!one.tools.some((name) => name === "*" || isSameTool(name, tool))) return false;
  if (one.pattern === undefined) return true;
  if (args.length > MAX_ARGUMENTS || budget.left <= 0) return "unknown";
  // JavaScript's own engine could be made to hang by an innocent pattern and long arguments.
  const { toFinder } = await import("./matching/linear-regex.ts");
  budget.left -= one.pattern.length * COMPILING;
  return toFinder(one.pattern)?.(args, budget) ?? false;
}
