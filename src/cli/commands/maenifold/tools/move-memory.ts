import { defineTool } from "../tool.ts";

export const moveMemory = defineTool({
  name: "MoveMemory",
  summary: "give a note another name or folder",
  params: {
    source: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    destination: {
      kind: "text",
      required: true,
      help: "a path or an address; with a slash at its end a folder",
    },
  },
  async run({ source, destination }, { memory }) {
    const { uri, from } = await memory.move(source, destination);
    return { plain: { uri, from }, text: `Moved memory FILE: ${from} → ${uri}` };
  },
});
