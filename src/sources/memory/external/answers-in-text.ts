import type { ContextOutput, RecentOutput, SearchOutput } from "../engine-port.ts";

/** maenifold's text forms. A line that is not understood is passed over; undefined when the form is not there at all. */

export function searchFromText(said: string): SearchOutput | undefined {
  const blocks = said.split(/^(?=.*\*\*.+\*\* \(memory:\/\/)/m);
  const results = blocks.flatMap((block) => {
    const [, title, uri] = /\*\*(.+?)\*\* \((memory:\/\/[^)\n]+)\)/.exec(block) ?? [];
    if (title === undefined || uri === undefined) return [];
    const score = /(?:Fused|Score)\D{1,3}(\d+(?:[.,]\d+)?)/i.exec(block)?.[1]?.replace(",", ".");
    return { uri, title, score: Number(score ?? 0), concepts: linksIn(block) };
  });
  const isNone = /^\s*no (?:results|matches|memories)|found 0\b/i.test(said);
  return results.length > 0 || isNone ? { results } : undefined;
}

export function recentFromText(said: string): RecentOutput | undefined {
  if (!/^# Recent Activity/m.test(said)) return undefined;
  const items = said.split(/^(?=\*\*)/m).flatMap((block) => {
    // The text has no address; the file's name is what ReadMemory also takes.
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

export function contextFromText(said: string, concept: string): ContextOutput | undefined {
  if (!/^Context for CONCEPT:/im.test(said)) return undefined;
  const direct =
    /^Direct relations.*$([\s\S]*?)(?=^(?:Expanded relations|Community siblings)|(?![\s\S]))/im.exec(
      said,
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
