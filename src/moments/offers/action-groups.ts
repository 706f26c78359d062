import type { ActionGroup } from "../ports/action.ts";
import type { SourceModule } from "../ports/source.ts";

/** Every group: those that belong to no source, then each source's. */
export async function loadGroups(modules: readonly SourceModule[]): Promise<readonly ActionGroup[]> {
  const groups = await Promise.all([
    import("../given/actions.ts").then((all) => all.GIVEN_GROUPS),
    import("../mutes/actions.ts").then((all) => all.MUTE_GROUPS),
    import("../settings/actions.ts").then((all) => all.SETTING_GROUPS),
    import("../review/actions.ts").then((all) => [all.reviewGroup(modules)]),
    ...modules.flatMap((module) => module.actions?.() ?? []),
  ]);
  return groups.flat();
}
