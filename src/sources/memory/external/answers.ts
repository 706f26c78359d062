import { parseBounded } from "../../../base/json.ts";
import { isRecord } from "../../../base/settings.ts";
import type { ContextOutput, RecentOutput, SearchOutput } from "../engine-port.ts";
import { contextFromText, recentFromText, searchFromText } from "./answers-in-text.ts";

/**
 * What another program says, in whatever of the known forms: the contract's JSON, maenifold's envelope around its own
 * names, or its text. Nothing in it is trusted to be there. undefined: it is no answer at all.
 */

/** More than anyone asks for, less than would hurt. */
const MAX_ROWS = 200;

export function readSearch(said: string): SearchOutput | undefined {
  const data = dataOf(said);
  if (data === undefined) return searchFromText(said);
  const results = rowsOf(data["results"], (row) => {
    // maenifold calls the address `path`, and the score of a hybrid search `fusedScore`.
    const uri = text(row["uri"]) ?? text(row["path"]);
    if (uri === undefined) return undefined;
    const score = number(row["score"]) ?? number(row["fusedScore"]) ?? 0;
    return { uri, title: text(row["title"]) ?? uri, score, concepts: texts(row["concepts"]) };
  });
  return results && { results };
}

export function readRecent(said: string): RecentOutput | undefined {
  const data = dataOf(said);
  if (data === undefined) return recentFromText(said);
  const items = rowsOf(data["items"], (row) => {
    const uri = text(row["uri"]) ?? text(row["path"]);
    if (uri === undefined) return undefined;
    const modified = Date.parse(text(row["modified"]) ?? "");
    return {
      uri,
      title: text(row["title"]) ?? uri,
      modified: Number.isNaN(modified) ? "" : new Date(modified).toISOString(),
      concepts: texts(row["concepts"]),
    };
  });
  return items && { items };
}

export function readContext(said: string, concept: string): ContextOutput | undefined {
  const data = dataOf(said);
  if (data === undefined) return contextFromText(said, concept);
  const rows = data["relatedConcepts"] ?? data["directRelations"] ?? data["DirectRelations"];
  const uris = new Set(texts(data["fileReferences"]));
  const relatedConcepts = rowsOf(rows, (row) => {
    const name = text(row["name"]) ?? text(row["Name"]);
    if (name === undefined) return undefined;
    const files = row["files"] ?? row["Files"];
    for (const uri of texts(files)) uris.add(uri);
    const count = number(files) ?? number(row["coOccurrenceCount"]) ?? number(row["CoOccurrenceCount"]);
    return {
      name,
      relationship: text(row["relationship"]) ?? "co-occurs-with",
      files: count ?? texts(files).length,
    };
  });
  return relatedConcepts && { concept, relatedConcepts, fileReferences: [...uris] };
}

/** The object that was printed, out of its envelope; undefined when it is no JSON object. */
function dataOf(said: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = parseBounded(said.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  return typeof value["success"] === "boolean" ? (isRecord(value["data"]) ? value["data"] : {}) : value;
}

function rowsOf<T>(
  value: unknown,
  read: (row: Record<string, unknown>) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_ROWS).flatMap((row: unknown) => (isRecord(row) ? (read(row) ?? []) : []));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_ROWS).flatMap((one: unknown) => text(one) ?? []);
}
