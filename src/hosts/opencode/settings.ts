import { edit, leaveAsIn, removeElement } from "../shared/install/json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "../shared/install/jsonc.ts";

/** Edits to the "plugin" list of OpenCode's settings as text, so that the user's comments and layout stay. */

/** The built plugin's file. Its name identifies Continuo's entries, whatever their version and folder. */
export const PLUGIN_FILE = "continuo-opencode.js";

/** The paths of Continuo's entries and their places in the list. */
export function findOurs(text: string): { path: string; index: number }[] {
  return pluginsIn(text).flatMap((entry, index) => {
    // An entry may be a pair of a plugin and its options.
    const path: unknown = Array.isArray(entry) ? entry[0] : entry;
    return typeof path === "string" && path.replaceAll("\\", "/").endsWith(`/${PLUGIN_FILE}`)
      ? [{ path, index }]
      : [];
  });
}

export function addPlugin(text: string, path: string): string {
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
  /** An empty list stays, since an entry is added next. */
  readonly keepList?: boolean;
  /** The text before the installation: an empty list that is in it is the user's. */
  readonly original?: string | undefined;
}

export function removePlugins(text: string, { keepList = false, original = "" }: RemoveOptions = {}): string {
  let result = text;
  // From the back, so that earlier places keep their numbers.
  for (const { index } of findOurs(text).reverse()) result = removeElement(result, ["plugin"], index);
  if (result === text || keepList) return result;
  return leaveAsIn(original, result, ["plugin"]);
}

function pluginsIn(text: string): unknown[] {
  const plugins = parseObject(text)["plugin"] ?? [];
  if (!Array.isArray(plugins)) throw invalidSettings('is not usable: "plugin" is not a list');
  return plugins;
}
