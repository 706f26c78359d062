import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional, whole } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { type Block, exact, type Shown } from "../../../moments/ports/view.ts";
import type { ConceptContext } from "../graph/build-context.ts";
import type { Memory } from "../memory.ts";
import { conceptMap, mermaid } from "./concept-map.ts";
import { CONCEPT, DEPTH, MOST_CONCEPTS } from "./fields.ts";
import { hasNotes, NO_NOTES, syncFirst, withNotes } from "./fresh.ts";

export const context = action({
  name: "context",
  about: "show the concepts and notes related to a concept",
  guide:
    "A concept is a name that notes link to as [[concept]]. Lists the concepts that occur in the same notes, and those notes.",
  examples: [["continuo context billing --content", "show what belongs to billing, with excerpts"]],
  effect: "reads",
  input: fields({
    concept: CONCEPT,
    depth: DEPTH,
    max: MOST_CONCEPTS,
    content: optional(flag("show an excerpt of each note")),
  }),
  run: ({ concept, depth = 2, max = 20, content = false }, place) =>
    withNotes(place, async (memory) => {
      await syncFirst(place, memory);
      const conceptName = concept.replace(/^\[\[|\]\]$/g, "");
      const found = await memory.buildContext({
        conceptName,
        depth,
        maxEntities: max,
        includeContent: content,
      });
      const isUnknown = found.direct.length + found.expanded.length + found.notes.length === 0;
      return { found, unknown: isUnknown ? await unknownConcept(memory, found.concept) : undefined };
    }),
  json: ({ found }) => found,
  view({ found, unknown }, shown) {
    if (unknown !== undefined) return [unknown];
    return found.direct.length === 0 && found.notes.length > 0 ? aloneView(found) : contextView(found, shown);
  },
});

function contextView(
  { concept, direct, expanded, siblings }: ConceptContext,
  { paint }: Shown,
): readonly Block[] {
  const rows = direct.map((one) => [
    paint("bold", oneLine(one.name)),
    String(one.notes),
    paint("dim", one.files.map(oneLine).join(" ")),
  ]);
  const previews = direct.flatMap((one) => Object.entries(one.preview ?? {}));
  const names = (title: string, all: readonly string[]): Block[] =>
    all.length === 0 ? [] : ["", { text: `${title}: ${all.map(oneLine).join(", ")}`, hang: 2 }];
  const community = siblings.map(({ name }) => name);
  const title = paint("bold", `[[${oneLine(concept)}]]`);
  return [
    exact(`${title} occurs together with ${count(direct.length, "concept")}:`),
    { columns: ["concept", "notes", "newest"], rows, fit: { flexible: [2, 0] } },
    ...names("More distant", expanded),
    ...names("In the same community", community),
    ...[...new Map(previews)].flatMap(([uri, text]) => ["", exact(oneLine(uri)), `  ${oneLine(text)}`]),
    {
      next: [
        ["continuo read NOTE", "Read one of the notes"],
        [`continuo graph ${shellWord(concept)}`, "Draw it"],
      ],
    },
  ];
}

function aloneView({ concept, notes }: ConceptContext): readonly Block[] {
  return [
    exact(`[[${oneLine(concept)}]] has no related concepts. It is named by ${count(notes.length, "note")}:`),
    ...notes.map((uri) => exact(`  ${oneLine(uri)}`)),
    { next: [["continuo read NOTE", "Read one of them"]] },
  ];
}

export const graph = action({
  name: "graph",
  about: "draw the graph around a concept as a Mermaid diagram",
  examples: [["continuo graph billing > billing.mmd", "save the diagram as a file"]],
  effect: "reads",
  input: fields({
    concept: CONCEPT,
    depth: optional(whole("steps from the concept, 1 to 5", 1, 5, { value: "N", fallback: "2" })),
    nodes: optional(
      whole("draw at most this many concepts, 5 to 100", 5, 100, { value: "N", fallback: "30" }),
    ),
  }),
  run: ({ concept, depth = 2, nodes: maxNodes = 30 }, place) =>
    withNotes(place, async (memory) => {
      await syncFirst(place, memory);
      const map = await conceptMap(memory, concept, { depth, maxNodes, signal: place.signal });
      const unknown = map.nodes.length === 0 ? await unknownConcept(memory, map.concept) : undefined;
      return { map: { ...map, mermaid: mermaid(map) }, unknown };
    }),
  json: ({ map }) => map,
  view: ({ map, unknown }, { isPiped }) =>
    unknown !== undefined && !isPiped
      ? [unknown]
      : [
          exact(map.mermaid),
          // A program gets an empty diagram, and nothing else.
          ...(unknown === undefined ? [] : [{ aside: unknown }]),
          { next: [[`continuo graph ${shellWord(map.concept)} > graph.mmd`, "Save it as a file"]] },
        ],
});

const NEAR = 0.3;

/** The message about a concept without relations; suggests concepts with a similar name. */
async function unknownConcept(memory: Memory, concept: string): Promise<string> {
  if (!hasNotes(memory)) return NO_NOTES;
  const near = (await memory.similar(concept, 3)).filter(({ similarity }) => similarity >= NEAR);
  const names = near.map(({ name }) => `[[${oneLine(name)}]]`).join(", ");
  return `No note links [[${oneLine(concept)}]] together with another concept.${names === "" ? "" : ` Did you mean ${names}?`}`;
}
