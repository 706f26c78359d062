import { recentOutput, searchOutput } from "../../../../sources/notes/engine.ts";
import type { Memory } from "../../../../sources/notes/memory.ts";
import type { RecentNoteWithConcepts } from "../../../../sources/notes/search/recent.ts";
import type { Hit } from "../../../../sources/notes/search/search.ts";
import { defineTool } from "../tool.ts";

export const searchMemories = defineTool({
  name: "SearchMemories",
  summary: "search notes by words, by meaning, or both",
  asksIndex: true,
  params: {
    query: { kind: "text", required: true, help: "the search query" },
    mode: {
      kind: "choice",
      choices: ["Hybrid", "Semantic", "FullText"],
      help: "(default: Hybrid)",
    },
    page: { kind: "whole", min: 1, max: 100_000, help: "page number (default: 1)" },
    pageSize: { kind: "whole", min: 1, max: 200, help: "results per page (default: 10)" },
    folder: { kind: "text", help: "only notes in this folder" },
    tags: { kind: "texts", help: "only notes with all of these tags" },
    minScore: { kind: "number", min: 0, max: 1, help: "only notes with at least this score" },
    project: { kind: "text", help: "only notes of this project" },
  },
  async run(given, { memory }) {
    const { mode = "Hybrid", page = 1, pageSize = 10 } = given;
    const found = await memory.search({ ...given, page, pageSize });
    const { hits, total, notices } = found;
    return {
      plain: searchOutput(found),
      data: { mode, query: given.query, totalCount: total, page, pageSize, results: hits.map(detailedHit) },
      text: searchText(given.query, mode, { hits, total, page, pageSize }),
      notices,
    };
  },
});

/** With Continuo's names and with the names in maenifold's envelope. */
function detailedHit({ uri, title, score, textScore, semanticScore, modified, concepts, snippet }: Hit) {
  return {
    uri,
    path: uri,
    title,
    score,
    fusedScore: score,
    textScore,
    semanticScore,
    modified: new Date(modified).toISOString(),
    concepts,
    snippet,
  };
}

function searchText(
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
      `   📝 ${hit.snippet.replace(/\s+/g, " ").trim()}`,
    ]),
    ...(page * pageSize < total ? ["", `💡 Next: page ${page + 1}`] : []),
  ].join("\n");
}

export const recentActivity = defineTool({
  name: "RecentActivity",
  summary: "list recently changed notes",
  asksIndex: true,
  params: {
    timespan: { kind: "text", help: "24h, 7d, or a .NET TimeSpan such as 1.00:00:00 (default: all notes)" },
    limit: { kind: "whole", min: 1, max: 1000, help: "how many (default: 10)" },
    filter: {
      kind: "choice",
      choices: ["all", "memory", "thinking", "assumptions"],
      help: "kind of notes (default: all)",
    },
    includeContent: { kind: "flag", help: "include the text of each note" },
  },
  async run({ timespan, limit = 10, filter = "all", includeContent = false }, { memory }) {
    const notes = await memory.recent({
      limit,
      kind: filter,
      timespan,
    });
    const bodies = includeContent ? await bodiesOf(memory, notes) : undefined;
    const { items } = recentOutput(notes);
    const plain =
      bodies === undefined ? items : items.map((item, i) => ({ ...item, content: bodies[i] ?? "" }));
    return { plain: { items: plain }, text: recentText(notes, bodies) };
  },
});

/** Uses `peek`, so that listing a note does not count as reading it. A note that was deleted meanwhile has no text. */
async function bodiesOf(memory: Memory, notes: readonly RecentNoteWithConcepts[]): Promise<string[]> {
  const found = await Promise.allSettled(notes.map(({ uri }) => memory.peek(uri)));
  return found.map((one) => (one.status === "fulfilled" ? one.value.body : ""));
}

function recentText(notes: readonly RecentNoteWithConcepts[], bodies: readonly string[] | undefined): string {
  return [
    "# Recent Activity",
    ...notes.flatMap((note, i) => [
      "",
      `**${note.uri.split("/").at(-1)}** (${kindOf(note.uri)})`,
      `  Modified: ${new Date(note.modified).toISOString().slice(0, 16).replace("T", " ")}`,
      `  Title: ${note.title}`,
      ...(bodies === undefined ? [] : [`  First: "${(bodies[i] ?? "").trim().slice(0, 1000)}"`]),
    ]),
    ...(notes.length === 0 ? ["", "No recent activity"] : []),
  ].join("\n");
}

function kindOf(uri: string): string {
  return /^memory:\/\/thinking\/(sequential|workflow)\//.exec(uri)?.[1] ?? "memory";
}

export const listMemories = defineTool({
  name: "ListMemories",
  summary: "list the folders and notes in a folder",
  params: { path: { kind: "text", help: "folder within the memory folder (default: the memory folder)" } },
  run({ path = "" }, { memory }) {
    const { folders, notes } = memory.list(path);
    return {
      plain: {
        path,
        folders,
        notes: notes.map(({ uri, size, modified }) => ({
          uri,
          size,
          modified: new Date(modified).toISOString(),
        })),
      },
      text: [
        `# ${path || "memory"}`,
        ...folders.map((folder) => `📁 ${folder.name} (${folder.notes} files)`),
        ...notes.map(({ uri, size }) => `📄 ${uri} (${size} bytes)`),
      ].join("\n"),
    };
  },
});
