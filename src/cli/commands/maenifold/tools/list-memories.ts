import { defineTool } from "../tool.ts";

export const listMemories = defineTool({
  name: "ListMemories",
  summary: "the folders and notes of a folder",
  params: { path: { kind: "text", help: "below the memory folder; the memory folder itself without it" } },
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
