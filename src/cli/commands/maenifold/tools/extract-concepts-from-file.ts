import { defineTool } from "../tool.ts";

export const extractConceptsFromFile = defineTool({
  name: "ExtractConceptsFromFile",
  summary: "the concepts that a note's links name",
  params: { identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" } },
  async run({ identifier }, { memory }) {
    // To look at its links is not to use it.
    const { uri, title, concepts } = await memory.peek(identifier);
    return {
      plain: { uri, title, concepts },
      text: [`Found ${concepts.length} CONCEPTS in ${uri}:`, ...concepts.map((name) => `  • ${name}`)].join(
        "\n",
      ),
    };
  },
});
