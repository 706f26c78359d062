import { countsOf } from "../../../../sources/notes/note-index/note-problems.ts";
import { defineTool } from "../tool.ts";

export const sync = defineTool({
  name: "Sync",
  summary: "update the index of notes",
  params: {},
  async run(_, { memory, onProgress }) {
    const { put, removed, same, unreadable } = await memory.sync({ onProgress });
    const plain = { indexed: put, unchanged: same, removed, unreadable };
    return {
      plain,
      text: `Synced: ${put} indexed, ${removed} removed${unreadable.length === 0 ? "" : `, ${unreadable.length} unreadable`}`,
    };
  },
});

export const memoryStatus = defineTool({
  name: "MemoryStatus",
  summary: "show the memory folders and how many notes they have",
  asksIndex: true,
  params: {},
  run(_, { memory }) {
    const counts = countsOf(memory.indexes());
    return {
      plain: { roots: memory.roots, ...counts },
      text: [
        "# Memory Status",
        ...memory.roots.map((root) => `Root: ${root.path} (${root.kind})`),
        `Files: ${counts.notes}`,
        `Concepts: ${counts.concepts}`,
        `Relations: ${counts.relations}`,
      ].join("\n"),
    };
  },
});

export const getConfig = defineTool({
  name: "GetConfig",
  summary: "show the path of the memory folder",
  params: {},
  run(_, { memory }) {
    const [main, ...also] = memory.roots;
    return {
      plain: { memoryPath: main?.path ?? null, also: also.map(({ path }) => path) },
      text: memory.roots
        .map(({ name, path }) => `${name === undefined ? "Memory Path" : `@${name}`}: ${path}`)
        .join("\n"),
    };
  },
});
