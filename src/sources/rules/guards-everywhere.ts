import type { SourceContext } from "../../moments/ports/source.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { Check } from "./rule.ts";

/**
 * The name of one of the user's own rules that refuses tool calls, or asks about them. Such a rule applies in every
 * project.
 */
export async function guardsEverywhere({
  settings,
  env,
  home,
  host,
}: Pick<SourceContext, "settings" | "env" | "home"> & { readonly host: string }): Promise<
  string | undefined
> {
  // From the same cache as for guards. Without a host every folder counts.
  const { rules } = await readCatalog({
    root: home,
    home,
    env,
    settings,
    host,
    readOnly: false,
    now: Date.now(),
    wanted: { kind: "checks" },
    isUsersOnly: true,
  });
  return rules.find(({ checks }) => checks.some(isBeforeCalls))?.name;
}

function isBeforeCalls({ on, reaction }: Check): boolean {
  const isAboutCalls = on === "edits" || on === "commands" || on === "calls";
  return isAboutCalls && (reaction === "deny" || reaction === "ask");
}
