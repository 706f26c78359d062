import type { Command } from "../../command.ts";
import { conceptMap, mermaid } from "./concept-map.ts";
import { unknownConcept } from "./unknown-concept.ts";
import { lookFirst, withMemory } from "./with-memory.ts";
import { subject, wholeOf } from "./words.ts";

const USAGE = "graph CONCEPT";

export const graphCommand: Command = {
  name: "graph",
  summary: "draw the graph around a concept, as Mermaid",
  usage: USAGE,
  group: "notes",
  options: {
    depth: { type: "string", value: "N", help: "steps from the concept, 1 to 5; 2 without it" },
    nodes: { type: "string", value: "N", help: "concepts at most, 5 to 100; 30 without it" },
  },
  run(input) {
    const concept = subject(input, "concept", USAGE);
    const depth = wholeOf(input, "depth", 1, 5) ?? 2;
    const maxNodes = wholeOf(input, "nodes", 5, 100) ?? 30;
    return withMemory(input, async (memory) => {
      await lookFirst(input, memory);
      const map = await conceptMap(memory, concept, { depth, maxNodes });
      const text = mermaid(map);
      // Standard output stays a diagram: it is piped into one.
      if (map.nodes.length === 0) input.tell?.(await unknownConcept(memory, map.concept));
      return { data: { ...map, mermaid: text }, text };
    });
  },
};
