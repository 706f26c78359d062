import { conceptMap, mermaid } from "../../../../sources/notes/actions/concept-map.ts";
import { contextOutput } from "../../../../sources/notes/engine.ts";
import { normaliseConcept } from "../../../../sources/notes/files/wikilinks.ts";
import type { ConceptContext } from "../../../../sources/notes/graph/build-context.ts";
import { defineTool } from "../tool.ts";

export const buildContext = defineTool({
  name: "BuildContext",
  summary: "show concepts that occur together with a concept",
  asksIndex: true,
  params: {
    conceptName: { kind: "text", required: true, help: "with or without brackets" },
    depth: { kind: "whole", min: 0, max: 5, help: "steps in the graph (default: 2)" },
    maxEntities: { kind: "whole", min: 1, max: 200, help: "maximum number of concepts (default: 20)" },
    includeContent: { kind: "flag", help: "include an excerpt of each note" },
  },
  async run(given, { memory }) {
    const conceptName = given.conceptName.replace(/^\[\[|\]\]$/g, "");
    const context = await memory.buildContext({ ...given, conceptName });
    return { plain: plainContext(context), data: detailedContext(context), text: contextText(context) };
  },
});

/** The form of the contract; with includeContent, each concept has previews. */
function plainContext(context: ConceptContext) {
  const output = contextOutput(context);
  const previews = new Map(context.direct.map(({ name, preview }) => [name, preview]));
  return {
    ...output,
    relatedConcepts: output.relatedConcepts.map((one) => {
      const contentPreview = previews.get(one.name);
      return contentPreview === undefined ? one : { ...one, contentPreview };
    }),
  };
}

/** Also with the names in maenifold's own result. */
function detailedContext(context: ConceptContext) {
  return {
    ...plainContext(context),
    conceptName: context.concept,
    depth: context.depth,
    directRelations: context.direct.map((relation) => ({
      name: relation.name,
      coOccurrenceCount: relation.notes,
      files: relation.files,
      contentPreview: relation.preview ?? {},
      decayWeight: relation.decayWeight,
      weightedScore: relation.score,
      communityId: relation.community ?? null,
    })),
    expandedRelations: context.expanded,
    communityId: context.community ?? null,
    communitySiblings: context.siblings,
  };
}

function contextText({ concept, depth, direct, expanded, community, siblings }: ConceptContext): string {
  const part = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : ["", title, ...names.map((name) => `  • ${name}`)];
  return [
    `Context for CONCEPT: ${concept}`,
    "",
    `Direct relations (${direct.length} CONCEPTS):`,
    ...direct.flatMap((one) => [
      `  • ${one.name} (co-occurs in ${one.notes} files)${one.community === undefined ? "" : ` [community ${one.community}]`}`,
      `    Files: ${one.files.join(", ")}`,
      ...Object.entries(one.preview ?? {}).map(
        ([uri, text]) => `    ${uri}: ${text.replace(/\s+/g, " ").trim()}`,
      ),
    ]),
    ...part(`Expanded relations (${depth} hops):`, expanded),
    ...part(
      `Community siblings (${siblings.length} concepts in community ${community ?? "?"}):`,
      siblings.map(({ name }) => name),
    ),
  ].join("\n");
}

export const findSimilarConcepts = defineTool({
  name: "FindSimilarConcepts",
  summary: "find concepts with a similar name",
  asksIndex: true,
  params: {
    conceptName: { kind: "text", required: true, help: "with or without brackets" },
    maxResults: { kind: "whole", min: 1, max: 50, help: "how many (default: 10)" },
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

export const visualize = defineTool({
  name: "Visualize",
  summary: "draw the graph around a concept as a Mermaid diagram",
  asksIndex: true,
  params: {
    conceptName: { kind: "text", required: true, help: "with or without brackets" },
    depth: { kind: "whole", min: 1, max: 5, help: "steps from the concept (default: 2)" },
    maxNodes: { kind: "whole", min: 5, max: 100, help: "maximum number of concepts (default: 30)" },
  },
  async run({ conceptName, depth = 2, maxNodes = 30 }, { memory }) {
    const map = await conceptMap(memory, conceptName, { depth, maxNodes });
    const diagram = mermaid(map);
    return { plain: { ...map, mermaid: diagram }, text: diagram };
  },
});

export const extractConceptsFromFile = defineTool({
  name: "ExtractConceptsFromFile",
  summary: "list the concepts that a note links to",
  params: { identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" } },
  async run({ identifier }, { memory }) {
    // `peek`, because listing links does not count as reading the note.
    const { uri, title, concepts } = await memory.peek(identifier);
    return {
      plain: { uri, title, concepts },
      text: [`Found ${concepts.length} CONCEPTS in ${uri}:`, ...concepts.map((name) => `  • ${name}`)].join(
        "\n",
      ),
    };
  },
});
