import { edit, invalidSettings, parseObject } from "../shared/install/jsonc.ts";

/** Edits to pi's settings as text, so that order and indentation of the user's file stay. */

/** Whether this entry of "extensions" is Continuo's, whatever its version and folder. */
export function isOurs(entry: unknown): entry is string {
  return typeof entry === "string" && /(^|[\\/])continuo-pi\.js$/.test(entry);
}

export function ourExtensions(text: string): string[] {
  return extensions(text).filter(isOurs);
}

export function addExtension(text: string, path: string): string {
  const ours = ourExtensions(text);
  if (ours.length === 1 && ours[0] === path) return text;
  return edit(text, ["extensions"], [...extensions(text).filter((entry) => !isOurs(entry)), path]);
}

export function removeExtensions(text: string): string {
  if (ourExtensions(text).length === 0) return text;
  const left = extensions(text).filter((entry) => !isOurs(entry));
  return edit(text, ["extensions"], left.length === 0 ? undefined : left);
}

/** pi allows no comments in its settings. */
function extensions(text: string): unknown[] {
  const list = parseObject(text, true)["extensions"] ?? [];
  if (!Array.isArray(list)) throw invalidSettings('is not usable: "extensions" is not a list');
  return list;
}
