import { collapse } from "../../../../base/text.ts";
import { searchOutput } from "../../../../sources/memory/own-engine.ts";
import type { Hit } from "../../../../sources/memory/search/search.ts";
import { defineTool } from "../tool.ts";

export const searchMemories = defineTool({
  name: "SearchMemories",
  summary: "find notes by words, by meaning, or both",
  asksIndex: true,
  params: {
    query: { kind: "text", required: true, help: "what to look for" },
    mode: {
      kind: "choice",
      choices: ["Hybrid", "Semantic", "FullText"],
      help: "Hybrid unless said otherwise",
    },
    page: { kind: "whole", min: 1, max: 100_000, help: "from 1 on" },
    pageSize: { kind: "whole", min: 1, max: 200, help: "notes on a page; 10 unless said otherwise" },
    folder: { kind: "text", help: "only notes in and below it" },
    tags: { kind: "texts", help: "only notes that have all of them" },
    minScore: { kind: "number", min: 0, max: 1, help: "only notes that fit at least so well" },
    project: { kind: "text", help: "only notes of this project" },
  },
  async run(given, { memory }) {
    const { mode = "Hybrid", page = 1, pageSize = 10 } = given;
    const found = await memory.search({ ...given, page, pageSize });
    const { hits, total, notices } = found;
    return {
      plain: searchOutput(found),
      data: { mode, query: given.query, totalCount: total, page, pageSize, results: hits.map(detailed) },
      text: textOf(given.query, mode, { hits, total, page, pageSize }),
      notices,
    };
  },
});

/** Both spellings: ours, and the names that maenifold's envelope has for the same. */
function detailed({ uri, title, score, textScore, semanticScore, modified, concepts, snippet }: Hit) {
  return {
    uri,
    path: uri,
    title,
    score,
    fusedScore: score,
    textScore,
    ...(semanticScore === undefined ? {} : { semanticScore }),
    modified: new Date(modified).toISOString(),
    concepts,
    snippet,
  };
}

function textOf(
  query: string,
  mode: string,
  { hits, total, page, pageSize }: { hits: readonly Hit[]; total: number; page: number; pageSize: number },
): string {
  if (hits.length === 0)
    return total === 0
      ? `No results: ${query}`
      : `No results on page ${page} of ${Math.ceil(total / pageSize)}`;
  const first = (page - 1) * pageSize + 1;
  return [
    `${mode}: ${query} (${first}-${first + hits.length - 1} / ${total})`,
    ...hits.flatMap((hit) => [
      "",
      `📄 **${hit.title}** (${hit.uri})`,
      `   📊 Scores - Fused: ${hit.score.toFixed(3)} | Text: ${hit.textScore.toFixed(3)} | Semantic: ${(hit.semanticScore ?? 0).toFixed(3)}`,
      `   📝 ${collapse(hit.snippet)}`,
    ]),
    ...(page * pageSize < total ? ["", `💡 Next: page ${page + 1}`] : []),
  ].join("\n");
}
