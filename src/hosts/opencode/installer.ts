import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding, Installer, Wiring } from "../port/installer.ts";
import { addPlugin, findOurs, PLUGIN_FILE, removePlugins } from "./settings.ts";
import { settingsFolder } from "./settings-folder.ts";

/** OpenCode is set up by one entry: the plugin's file, which is in the same folder as the command line's. */
export const opencodeInstaller: Installer = {
  host: "opencode",
  label: "OpenCode",
  versionCommand: ["opencode", "--version"],
  programs: ["opencode"],
  settingsFile,
  add: (text, wiring) => addPlugin(text, pluginFile(wiring)),
  remove: (text, original) => removePlugins(text, { original }),
  count: (text) => ({ plugins: findOurs(text).length }),
  inspect,
  probes: (text) =>
    findOurs(text).map(({ path }) => ({ kind: "module", path, exports: 'typeof it?.server === "function"' })),
};

/** The host reads both names and joins their lists of plugins: the one that the user has is the one to edit. */
function settingsFile(env: NodeJS.ProcessEnv): string {
  const folder = settingsFolder(env);
  const [json, jsonc] = [join(folder, "opencode.json"), join(folder, "opencode.jsonc")] as const;
  return !existsSync(json) && existsSync(jsonc) ? jsonc : json;
}

function pluginFile(wiring: Wiring): string {
  return join(dirname(wiring.script), PLUGIN_FILE);
}

function inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[] {
  const mend = "run: continuo install opencode";
  const ours = findOurs(text);
  if (ours.length === 0) return [{ status: "warn", detail: "not installed", mend }];
  const gone = ours.filter((entry) => !exists(entry.path)).map((entry) => entry.path);
  if (gone.length > 0)
    // The host says nothing about a plugin that it does not find.
    return [{ status: "fail", detail: `its settings load ${gone.join(" and ")}, which is not there`, mend }];
  if (ours.length > 1) return [{ status: "warn", detail: "its settings load Continuo more than once", mend }];
  if (ours[0]?.path !== pluginFile(wiring))
    return [{ status: "warn", detail: "installed, but by another version or from another location", mend }];
  return [{ status: "ok", detail: "installed (1 plugin)", mend: "" }];
}
