import { recentOutput } from "../../../../sources/memory/engine.ts";
import type { Memory } from "../../../../sources/memory/memory.ts";
import type { RecentNoteWithConcepts } from "../../../../sources/memory/search/recent.ts";
import { defineTool } from "../tool.ts";

export const recentActivity = defineTool({
  name: "RecentActivity",
  summary: "the notes that changed last",
  asksIndex: true,
  params: {
    timespan: { kind: "text", help: "24h or 7d, or .NET's 1.00:00:00 for one day; all notes without it" },
    limit: { kind: "whole", min: 1, max: 1000, help: "10 unless said otherwise" },
    filter: {
      kind: "choice",
      choices: ["all", "memory", "thinking", "assumptions"],
      help: "which kind of notes",
    },
    includeContent: { kind: "flag", help: "the notes' texts too" },
  },
  async run({ timespan, limit = 10, filter = "all", includeContent = false }, { memory }) {
    const notes = await memory.recent({
      limit,
      kind: filter,
      ...(timespan === undefined ? {} : { timespan }),
    });
    const bodies = includeContent ? await bodiesOf(memory, notes) : undefined;
    const { items } = recentOutput(notes);
    const plain =
      bodies === undefined ? items : items.map((item, i) => ({ ...item, content: bodies[i] ?? "" }));
    return { plain: { items: plain }, text: textOf(notes, bodies) };
  },
});

/** Looking at what is new does not make it used. A note that went since then has no text. */
async function bodiesOf(memory: Memory, notes: readonly RecentNoteWithConcepts[]): Promise<string[]> {
  const found = await Promise.allSettled(notes.map(({ uri }) => memory.peek(uri)));
  return found.map((one) => (one.status === "fulfilled" ? one.value.body : ""));
}

function textOf(notes: readonly RecentNoteWithConcepts[], bodies: readonly string[] | undefined): string {
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
