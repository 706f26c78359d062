import type { ActionGroup } from "../ports/action.ts";
import type { SourceModule } from "../ports/source.ts";

/** Every group: those that belong to no source, then each source's. */
export async function loadGroups(modules: readonly SourceModule[]): Promise<readonly ActionGroup[]> {
  const [{ GIVEN_GROUPS }, { MUTE_GROUPS }, { SETTING_GROUPS }, ...ofSources] = await Promise.all([
    import("../given/actions.ts"),
    import("../mutes/actions.ts"),
    import("../settings/actions.ts"),
    ...modules.flatMap((module) => module.actions?.() ?? []),
  ]);
  return [...GIVEN_GROUPS, ...MUTE_GROUPS, ...SETTING_GROUPS, ...ofSources.flat()];
}
