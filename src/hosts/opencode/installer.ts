import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding, Installer, Wiring } from "../port/installer.ts";
import { edit, leaveAsIn, removeElement } from "../shared/install/json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "../shared/install/jsonc.ts";
import { settingsFolder } from "./settings-folder.ts";

/** OpenCode is set up with one entry: the plugin's file, which is in the same folder as the command line's. */
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

/** The host reads both file names and joins their lists of plugins, so edit the one that exists. */
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
    // The host does not report a plugin that it cannot find.
    return [{ status: "fail", detail: `its settings load ${gone.join(" and ")}, which is not there`, mend }];
  if (ours.length > 1) return [{ status: "warn", detail: "its settings load Continuo more than once", mend }];
  if (ours[0]?.path !== pluginFile(wiring))
    return [{ status: "warn", detail: "installed, but by another version or from another location", mend }];
  return [{ status: "ok", detail: "installed (1 plugin)", mend: "" }];
}

/** Edits the "plugin" list of OpenCode's settings as text, to keep the user's comments and layout. */

/** The built plugin's file. Its name identifies Continuo's entries, regardless of version and folder. */
export const PLUGIN_FILE = "continuo-opencode.js";

/** The paths of Continuo's entries and their places in the list. */
function findOurs(text: string): { path: string; index: number }[] {
  return pluginsIn(text).flatMap((entry, index) => {
    // An entry may be a pair of a plugin and its options.
    const path: unknown = Array.isArray(entry) ? entry[0] : entry;
    return typeof path === "string" && path.replaceAll("\\", "/").endsWith(`/${PLUGIN_FILE}`)
      ? [{ path, index }]
      : [];
  });
}

function addPlugin(text: string, path: string): string {
  const ours = findOurs(text);
  if (ours.length === 1 && ours[0]?.path === path) return text;
  refuseTwins(text, [], (key) => key === "plugin");
  const cleaned = ours.length === 0 ? text : removePlugins(text, { keepList: true });
  const list = parseObject(cleaned)["plugin"];
  return list === undefined
    ? edit(cleaned, ["plugin"], [path])
    : edit(cleaned, ["plugin", pluginsIn(cleaned).length], path);
}

interface RemoveOptions {
  /** Keep an empty list, because an entry is added next. */
  readonly keepList?: boolean;
  /** The text before the installation: an empty list in it belongs to the user. */
  readonly original?: string | undefined;
}

function removePlugins(text: string, { keepList = false, original = "" }: RemoveOptions = {}): string {
  let result = text;
  // Backwards, so that earlier indexes stay valid.
  for (const { index } of findOurs(text).reverse()) result = removeElement(result, ["plugin"], index);
  if (result === text || keepList) return result;
  return leaveAsIn(original, result, ["plugin"]);
}

function pluginsIn(text: string): unknown[] {
  const plugins = parseObject(text)["plugin"] ?? [];
  if (!Array.isArray(plugins)) throw invalidSettings('is not usable: "plugin" is not a list');
  return plugins;
}
