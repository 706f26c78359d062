import { isRecord, parseBounded } from "../../../base/json.ts";
import type { ContextOutput, RecentOutput, SearchOutput } from "../engine.ts";

/**
 * Reads another program's output in any known format: the documented JSON, maenifold's JSON envelope with its own
 * names, or maenifold's text. Any field may be missing. undefined if the output has none of these formats.
 */

/** More than anyone requests. */
const MAX_ROWS = 200;

export function readSearch(output: string): SearchOutput | undefined {
  const data = dataOf(output);
  if (data === undefined) return searchFromText(output);
  const results = rowsOf(data["results"], (row) => {
    // maenifold calls the address `path`, and the score of a hybrid search `fusedScore`.
    const uri = text(row["uri"]) ?? text(row["path"]);
    if (uri === undefined) return undefined;
    const score = number(row["score"]) ?? number(row["fusedScore"]) ?? 0;
    return { uri, title: text(row["title"]) ?? uri, score, concepts: texts(row["concepts"]) };
  });
  return results && { results };
}

export function readRecent(output: string): RecentOutput | undefined {
  const data = dataOf(output);
  if (data === undefined) return recentFromText(output);
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

export function readContext(output: string, concept: string): ContextOutput | undefined {
  const data = dataOf(output);
  if (data === undefined) return contextFromText(output, concept);
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

/** The printed object without its envelope; undefined if it is not a JSON object. */
function dataOf(output: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = parseBounded(output.replace(/^\ufeff/, ""));
  } catch {
    return undefined; // then it is parsed as text
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

/** maenifold's text formats. Unknown lines are skipped; undefined if the output does not have the format at all. */

function searchFromText(output: string): SearchOutput | undefined {
  const blocks = output.split(/^(?=.*\*\*.+\*\* \(memory:\/\/)/m);
  const results = blocks.flatMap((block) => {
    const [, title, uri] = /\*\*(.+?)\*\* \((memory:\/\/[^)\n]+)\)/.exec(block) ?? [];
    if (title === undefined || uri === undefined) return [];
    const score = /(?:Fused|Score)\D{1,3}(\d+(?:[.,]\d+)?)/i.exec(block)?.[1]?.replace(",", ".");
    return { uri, title, score: Number(score ?? 0), concepts: linksIn(block) };
  });
  const isNone = /^\s*no (?:results|matches|memories)|found 0\b/i.test(output);
  return results.length > 0 || isNone ? { results } : undefined;
}

function recentFromText(output: string): RecentOutput | undefined {
  if (!/^# Recent Activity/m.test(output)) return undefined;
  const items = output.split(/^(?=\*\*)/m).flatMap((block) => {
    // The text has no address; ReadMemory also accepts the file name.
    const uri = /^\*\*(.+?)\*\*/.exec(block)?.[1];
    if (uri === undefined) return [];
    const [, day, time] = /Modified: (\d{4}-\d\d-\d\d) (\d\d:\d\d)/.exec(block) ?? [];
    const modified = day === undefined ? "" : `${day}T${time}:00.000Z`;
    return {
      uri,
      title: /\bTitle: ([^|\n]+)/.exec(block)?.[1]?.trim() ?? uri,
      modified,
      concepts: linksIn(block),
    };
  });
  return { items };
}

function contextFromText(output: string, concept: string): ContextOutput | undefined {
  if (!/^Context for CONCEPT:/im.test(output)) return undefined;
  const direct =
    /^Direct relations.*$([\s\S]*?)(?=^(?:Expanded relations|Community siblings)|(?![\s\S]))/im.exec(
      output,
    )?.[1] ?? "";
  const relatedConcepts = [...direct.matchAll(/^\s+[•*-] (.+?) \(co-occurs in (\d+) files?\)/gm)].map(
    ([, name = "", files]) => ({ name, relationship: "co-occurs-with", files: Number(files) }),
  );
  const files = [...direct.matchAll(/^\s+Files: (.+)$/gm)].flatMap(([, list = ""]) =>
    list.trim().split(", "),
  );
  return { concept, relatedConcepts, fileReferences: [...new Set(files)] };
}

function linksIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\[\[([^[\]]+)\]\]/g)].map(([, inner = ""]) => inner.trim()))];
}
