import type { SourceContext } from "../../moments/ports/source.ts";
import { dailyWarning } from "../../store/health.ts";
import { homeAt } from "../../store/home.ts";
import { readTrust } from "../../store/trust.ts";

/**
 * The trusted projects. If the file is damaged, none is trusted and no check blocks a call, so the damage is reported.
 */
export function trustedProjects(
  at: number,
  { home, report }: Pick<SourceContext, "home" | "report">,
): readonly string[] {
  const { projects, damage } = readTrust({ root: home });
  if (damage !== undefined)
    dailyWarning(homeAt(home), "trust", at, report)("trust-damaged", damage.message, damage.hint);
  return projects;
}
