import { collapse } from "../../../../base/text.ts";
import type { ConceptContext } from "../../../../sources/memory/graph/build-context.ts";
import { contextOutput } from "../../../../sources/memory/own-engine.ts";
import { defineTool } from "../tool.ts";

export const buildContext = defineTool({
  name: "BuildContext",
  summary: "what is named together with a concept, and where",
  asksIndex: true,
  params: {
    conceptName: { kind: "text", required: true, help: "with or without brackets" },
    depth: { kind: "whole", min: 0, max: 5, help: "steps in the graph; 2 unless said otherwise" },
    maxEntities: { kind: "whole", min: 1, max: 200, help: "20 unless said otherwise" },
    includeContent: { kind: "flag", help: "a piece of each note too" },
  },
  async run(given, { memory }) {
    const conceptName = given.conceptName.replace(/^\[\[|\]\]$/g, "");
    const context = await memory.buildContext({ ...given, conceptName });
    return { plain: plain(context), data: detailed(context), text: textOf(context) };
  },
});

/** The contract's shape; whoever asks for content gets it with each concept. */
function plain(context: ConceptContext) {
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

/** Also under the names that maenifold's own result has. */
function detailed(context: ConceptContext) {
  return {
    ...plain(context),
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

function textOf({ concept, depth, direct, expanded, community, siblings }: ConceptContext): string {
  const part = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : ["", title, ...names.map((name) => `  • ${name}`)];
  return [
    `Context for CONCEPT: ${concept}`,
    "",
    `Direct relations (${direct.length} CONCEPTS):`,
    ...direct.flatMap((one) => [
      `  • ${one.name} (co-occurs in ${one.notes} files)${one.community === undefined ? "" : ` [community ${one.community}]`}`,
      `    Files: ${one.files.join(", ")}`,
      ...Object.entries(one.preview ?? {}).map(([uri, text]) => `    ${uri}: ${collapse(text)}`),
    ]),
    ...part(`Expanded relations (${depth} hops):`, expanded),
    ...part(
      `Community siblings (${siblings.length} concepts in community ${community ?? "?"}):`,
      siblings.map(({ name }) => name),
    ),
  ].join("\n");
}
