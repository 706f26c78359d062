import { normaliseConcept } from "../../../../sources/memory/notes/wikilinks.ts";
import { defineTool } from "../tool.ts";

export const findSimilarConcepts = defineTool({
  name: "FindSimilarConcepts",
  summary: "concepts that may be the same under another name",
  asksIndex: true,
  params: {
    conceptName: { kind: "text", required: true, help: "with or without brackets" },
    maxResults: { kind: "whole", min: 1, max: 50, help: "10 unless said otherwise" },
  },
  async run({ conceptName, maxResults = 10 }, { memory }) {
    const concept = normaliseConcept(conceptName.replace(/^\[\[|\]\]$/g, ""));
    const similar = await memory.similar(concept, maxResults);
    return {
      plain: { concept, similar },
      text: [
        `Similar concepts to '${concept}':`,
        ...similar.map(({ name, similarity }) => `  • ${name} (similarity: ${similarity.toFixed(3)})`),
      ].join("\n"),
    };
  },
});
