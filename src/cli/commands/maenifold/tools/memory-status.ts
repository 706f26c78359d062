import { countsOf } from "../../notes/counts.ts";
import { defineTool } from "../tool.ts";

export const memoryStatus = defineTool({
  name: "MemoryStatus",
  summary: "which folders are memory, and how much is in them",
  asksIndex: true,
  params: {},
  run(_, { memory }) {
    const counts = countsOf(memory);
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
