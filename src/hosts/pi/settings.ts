import { edit, leaveAsIn, removeElement } from "../shared/install/json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "../shared/install/jsonc.ts";

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
  refuseTwins(text, [], (key) => key === "extensions");
  const cleaned = withoutOurs(text);
  return parseObject(cleaned, true)["extensions"] === undefined
    ? edit(cleaned, ["extensions"], [path])
    : edit(cleaned, ["extensions", extensions(cleaned).length], path);
}

/** An empty list that is in the `original`, before the installation, is the user's. */
export function removeExtensions(text: string, original = ""): string {
  if (ourExtensions(text).length === 0) return text;
  const left = withoutOurs(text);
  return leaveAsIn(original, left, ["extensions"]);
}

function withoutOurs(text: string): string {
  // From the back, so that earlier places keep their numbers.
  return extensions(text).reduceRight<string>(
    (result, entry, at) => (isOurs(entry) ? removeElement(result, ["extensions"], at) : result),
    text,
  );
}

/** pi allows no comments in its settings. */
function extensions(text: string): unknown[] {
  const list = parseObject(text, true)["extensions"] ?? [];
  if (!Array.isArray(list)) throw invalidSettings('is not usable: "extensions" is not a list');
  return list;
}
