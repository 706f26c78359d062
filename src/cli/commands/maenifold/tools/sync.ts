import { defineTool } from "../tool.ts";

export const sync = defineTool({
  name: "Sync",
  summary: "bring the index to what the files say",
  params: {},
  async run(_, { memory, progress }) {
    const { put, removed, same, unreadable } = await memory.sync({
      onProgress: (done) => progress(`${done.put + done.same} notes read`),
    });
    const plain = { indexed: put, unchanged: same, removed, unreadable };
    return {
      plain,
      text: `Synced: ${put} indexed, ${removed} removed${unreadable.length === 0 ? "" : `, ${unreadable.length} unreadable`}`,
    };
  },
});
