import { defineTool } from "../tool.ts";

export const deleteMemory = defineTool({
  name: "DeleteMemory",
  summary: "delete a note for good",
  params: {
    identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    confirm: { kind: "flag", help: "must be true" },
  },
  async run({ identifier, confirm = false }, { memory }) {
    const { uri } = await memory.delete(identifier, confirm);
    return { plain: { uri, deleted: true }, text: `Deleted memory FILE: ${uri}` };
  },
});
