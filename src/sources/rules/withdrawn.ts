import { statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../base/errors.ts";
import type { Item } from "../../compose/section.ts";
import type { Catalog } from "./catalog/catalog-rule.ts";
import type { RuleFolder } from "./files/folders.ts";

const NO_LONGER = "This rule no longer holds.";

/**
 * The model still has the text of a rule whose file was removed, emptied or made invalid, or that the user muted: each is an item that says so. The
 * engine delivers it once. A rule that merely does not apply any more is not one of them.
 */
export function withdrawnItems(
  delivered: ReadonlySet<string>,
  { rules, rejects, repeated, pending }: Catalog,
  folders: readonly RuleFolder[],
  names: Readonly<Record<string, string>>,
  isMuted: (key: string) => boolean = () => false,
): Item[] {
  const used = [...rules.filter((rule) => !rule.isEmpty), ...repeated].map(({ file }) => file.key);
  const holding = new Set([...used, ...pending.map((file) => file.key)]);
  const unusable = new Set([
    ...rejects.flatMap(({ file }) => file?.key ?? []),
    ...rules.filter((rule) => rule.isEmpty).map(({ file }) => file.key),
  ]);
  return [...delivered].flatMap((key): Item[] => {
    const muted = isMuted(key);
    if (holding.has(key) && !muted) return [];
    const folder = folders.find(({ label }) => key.startsWith(`${label}/`));
    if (folder === undefined) return [];
    const name = key.slice(folder.label.length + 1);
    // The catalog of a large set has few of its rules, and a folder may be unreadable for a while.
    if (!muted && !unusable.has(key) && !isMissing(join(folder.path, name))) return [];
    const reason = muted ? "the user muted it" : "its file was removed or cannot be used";
    const shown = { name: names[key] ?? name, noun: "withdrawn rule" };
    return [{ key, ...shown, text: NO_LONGER, reason, priority: 0, withdraws: true }];
  });
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
