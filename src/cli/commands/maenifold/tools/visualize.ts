import { conceptMap, mermaid } from "../../notes/concept-map.ts";
import { defineTool } from "../tool.ts";

export const visualize = defineTool({
  name: "Visualize",
  summary: "the graph around a concept, as Mermaid",
  asksIndex: true,
  params: {
    conceptName: { kind: "text", required: true, help: "with or without brackets" },
    depth: { kind: "whole", min: 1, max: 5, help: "steps from it; 2 unless said otherwise" },
    maxNodes: { kind: "whole", min: 5, max: 100, help: "30 unless said otherwise" },
  },
  async run({ conceptName, depth = 2, maxNodes = 30 }, { memory }) {
    const map = await conceptMap(memory, conceptName, { depth, maxNodes });
    const diagram = mermaid(map);
    return { plain: { ...map, mermaid: diagram }, text: diagram };
  },
});
