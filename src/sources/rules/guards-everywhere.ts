import type { SourceContext } from "../../moments/ports/source.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { Check } from "./checks/check.ts";

/** Whether a rule of the user's own refuses tool calls, or asks about them. Such a rule holds in every project. */
export async function guardsEverywhere({
  settings,
  env,
  home,
}: Pick<SourceContext, "settings" | "env" | "home">): Promise<boolean> {
  // A folder that is no project has no rules besides the user's own. No host: every folder counts.
  const place = { root: home, home, env, settings, host: "", readOnly: true, now: Date.now() };
  const { rules } = await readCatalog(place);
  return rules.some(({ file, checks }) => file.scope === "global" && checks.some(isBeforeCalls));
}

function isBeforeCalls({ on, reaction }: Check): boolean {
  const isAboutCalls = on === "edits" || on === "commands" || on === "calls";
  return isAboutCalls && (reaction === "deny" || reaction === "ask");
}
