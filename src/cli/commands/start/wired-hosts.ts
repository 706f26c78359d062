import { readSettingsFile, withoutMark } from "../../../hosts/shared/install/settings-file.ts";
import type { World } from "../../command.ts";

export interface WiredHost {
  readonly name: string;
  readonly label: string;
}

/** The hosts whose settings call Continuo. Settings that cannot be read count as without it: `doctor` explains them. */
export async function wiredHosts(world: Pick<World, "installers" | "env">): Promise<WiredHost[]> {
  const installers = await world.installers();
  return installers.flatMap((installer) => {
    try {
      const text = withoutMark(readSettingsFile(installer.settingsFile(world.env)) ?? "");
      return installer.probes(text).length > 0 ? [{ name: installer.host, label: installer.label }] : [];
    } catch {
      return []; // unreadable or not valid
    }
  });
}
