import { join } from "node:path";
import { parseBounded } from "../../../base/json.ts";
import { isRecord } from "../../../base/settings.ts";
import { readText } from "../../../store/read-file.ts";
import { normaliseConcept } from "./concept.ts";
import { noteFailure } from "./failures.ts";
import type { MemoryRoot } from "./root.ts";
import { findLinks } from "./wikilinks.ts";

/** What a text must have before it becomes part of a note: a link, and none that the user has banned. */
export function assertLinked(root: MemoryRoot, content: string): void {
  assertLeadsSomewhere(content);
  assertNoneBanned(root, content);
}

export function assertLeadsSomewhere(text: string): void {
  if (findLinks(text).concepts.length > 0) return;
  throw noteFailure(
    "wikilink-required",
    "the text has no [[WikiLink]], so nothing would lead to it",
    'put double brackets around what it is about, for example "uses [[sqlite]] for [[full-text search]]"',
  );
}

export function assertNoneBanned(root: MemoryRoot, content: string): void {
  const { concepts } = findLinks(content);
  const banned = bannedConcepts(root);
  const hits = concepts.filter((concept) => banned.has(concept));
  if (hits.length > 0) {
    throw noteFailure(
      "wikilinks-filtered",
      `these links are banned: ${hits.map((hit) => `[[${hit}]] (${banned.get(hit)})`).join(", ")}`,
      `name something more telling, or change ${FILTER_FILE} in the memory folder`,
    );
  }
}

const FILTER_FILE = ".wikilink-filter.json";

/** The user's list of concepts that no note may name, each with the reason. A broken list bans nothing. */
function bannedConcepts(root: MemoryRoot): ReadonlyMap<string, string> {
  let raw: unknown;
  try {
    raw = parseBounded(
      readText(join(root.path, FILTER_FILE), { maxBytes: 1024 * 1024 }).replace(/^\ufeff/, ""),
    );
  } catch {
    return new Map();
  }
  if (!isRecord(raw)) return new Map();
  return new Map(Object.entries(raw).map(([name, reason]) => [normaliseConcept(name), String(reason)]));
}
