import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import type { ConceptContext } from "../../../sources/memory/graph/build-context.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { normaliseConcept } from "../../../sources/memory/notes/wikilinks.ts";
import type { Command, Input } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { subject, wholeOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { hasNotes, NO_NOTES, syncFirst, withMemory } from "./with-memory.ts";

const CONTEXT_USAGE = "context CONCEPT";

export const contextCommand: Command = {
  name: "context",
  summary: "show the concepts and notes related to a concept",
  usage: CONTEXT_USAGE,
  section: "notes",
  isMinor: true,
  guide:
    "A concept is a name that notes link to as [[concept]]. Lists the concepts that occur in the same notes, and those notes.",
  options: {
    depth: { type: "string", value: "N", help: "steps in the graph, 0 to 5", fallback: "2" },
    max: { type: "string", value: "N", help: "show at most this many concepts", fallback: "20" },
    content: { type: "boolean", help: "show an excerpt of each note" },
  },
  arguments: { CONCEPT: { help: "a name that notes link to as [[CONCEPT]]" } },
  examples: [["continuo context billing --content", "show what belongs to billing, with excerpts"]],
  run(input) {
    const conceptName = subject(input, "CONCEPT", CONTEXT_USAGE).replace(/^\[\[|\]\]$/g, "");
    const depth = wholeOption(input, "depth", 0, 5) ?? 2;
    const maxEntities = wholeOption(input, "max", 1, 200) ?? 20;
    const includeContent = input.values["content"] === true;
    return withMemory(input, async (memory) => {
      await syncFirst(input, memory);
      const context = await memory.buildContext({ conceptName, depth, maxEntities, includeContent });
      if (context.direct.length === 0 && context.notes.length > 0)
        return { data: context, text: aloneLines(input, context).join("\n") };
      if (context.direct.length === 0 && context.expanded.length === 0) {
        return {
          data: context,
          text: wrapOn(await unknownConcept(memory, context.concept), input.screen ?? PLAIN),
        };
      }
      return { data: context, text: contextLines(input, context).join("\n") };
    });
  },
};

function contextLines(input: Input, { concept, direct, expanded, siblings }: ConceptContext): string[] {
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const rows = direct.map((one) => [
    paint("bold", oneLine(one.name)),
    String(one.notes),
    paint("dim", one.files.map(oneLine).join(" ")),
  ]);
  const previews = direct.flatMap((one) => Object.entries(one.preview ?? {}));
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : ["", wrapOn(`${title}: ${names.map(oneLine).join(", ")}`, screen, { hang: 2 })];
  return [
    `${paint("bold", `[[${oneLine(concept)}]]`)} occurs together with ${counted(direct.length, "concept")}:`,
    table(["concept", "notes", "newest"], rows, screen, { flexible: [2, 0] }),
    ...list("More distant", expanded),
    ...list(
      "In the same community",
      siblings.map(({ name }) => name),
    ),
    ...[...new Map(previews)].flatMap(([uri, text]) => [
      "",
      oneLine(uri),
      wrapOn(`  ${oneLine(text)}`, screen),
    ]),
    ...nextSteps(
      screen,
      ["continuo read NOTE", "Read one of the notes"],
      [`continuo graph ${shellWord(concept)}`, "Draw it"],
    ),
  ];
}

function aloneLines({ screen = PLAIN }: Input, { concept, notes }: ConceptContext): string[] {
  return [
    `[[${oneLine(concept)}]] has no related concepts. It is named by ${counted(notes.length, "note")}:`,
    ...notes.map((uri) => `  ${oneLine(uri)}`),
    ...nextSteps(screen, ["continuo read NOTE", "Read one of them"]),
  ];
}

const GRAPH_USAGE = "graph CONCEPT";

export const graphCommand: Command = {
  name: "graph",
  summary: "draw the graph around a concept as a Mermaid diagram",
  usage: GRAPH_USAGE,
  section: "notes",
  isMinor: true,
  options: {
    depth: { type: "string", value: "N", help: "steps from the concept, 1 to 5", fallback: "2" },
    nodes: { type: "string", value: "N", help: "draw at most this many concepts, 5 to 100", fallback: "30" },
  },
  arguments: { CONCEPT: { help: "a name that notes link to as [[CONCEPT]]" } },
  examples: [["continuo graph billing > billing.mmd", "save the diagram as a file"]],
  run(input) {
    const concept = subject(input, "CONCEPT", GRAPH_USAGE);
    const depth = wholeOption(input, "depth", 1, 5) ?? 2;
    const maxNodes = wholeOption(input, "nodes", 5, 100) ?? 30;
    return withMemory(input, async (memory) => {
      await syncFirst(input, memory);
      const map = await conceptMap(memory, concept, { depth, maxNodes });
      const text = mermaid(map);
      // To stderr: stdout must stay a diagram that can be piped to another program.
      if (map.nodes.length === 0) {
        const why = await unknownConcept(memory, map.concept);
        // A person sees that there is no diagram; a program gets an empty one.
        if (input.screen?.isTerminal === true) return { data: { ...map, mermaid: text }, text: why };
        input.tell?.(why);
      } else if (input.screen?.isTerminal === true)
        input.tell?.(
          `A Mermaid diagram: ${counted(map.nodes.length, "concept")}, ${counted(map.edges.length, "relation")}. To save it: continuo graph ${shellWord(concept)} > graph.mmd`,
        );
      return { data: { ...map, mermaid: text }, text };
    });
  },
};

export interface ConceptMap {
  readonly concept: string;
  /** The concept itself first. */
  readonly nodes: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly notes: number }[];
}

/** The graph around a concept, breadth first and strongest relations first, up to `maxNodes`. */
export async function conceptMap(
  memory: Pick<Memory, "buildContext">,
  conceptName: string,
  { depth, maxNodes }: { readonly depth: number; readonly maxNodes: number },
): Promise<ConceptMap> {
  const concept = normaliseConcept(conceptName.replace(/^\[\[|\]\]$/g, ""));
  const nodes = new Set([concept]);
  const found = new Map<string, { from: string; to: string; notes: number }>();
  let level = [concept];
  for (let i = 0; i < depth && level.length > 0; i++) {
    const next: string[] = [];
    for (const from of level) {
      const { direct } = await memory.buildContext({ conceptName: from, depth: 1, maxEntities: maxNodes });
      for (const { name: to, notes } of direct) {
        const pair = [from, to].sort().join("\n");
        if (!found.has(pair)) found.set(pair, { from, to, notes });
        if (nodes.has(to) || nodes.size >= maxNodes) continue;
        nodes.add(to);
        next.push(to);
      }
    }
    level = next;
  }
  const edges = [...found.values()].filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return { concept, nodes: nodes.size === 1 ? [] : [...nodes], edges };
}

/** A diagram that Markdown viewers can draw. */
export function mermaid({ nodes, edges }: ConceptMap): string {
  const ids = new Map(nodes.map((name, i) => [name, `n${i}`]));
  return [
    "graph TD",
    ...[...ids].map(([name, id]) => `    ${id}["${quoted(name)}"]`),
    ...edges.map(({ from, to, notes }) => `    ${ids.get(from)} ---|${notes}| ${ids.get(to)}`),
  ].join("\n");
}

/** Within quotes, Mermaid accepts anything except quotes and line breaks, and reads #…; as an entity. */
function quoted(name: string): string {
  return name.replaceAll("#", "#35;").replaceAll('"', "#quot;").replace(/\s+/g, " ");
}

const NEAR = 0.3;

/** The message for a concept without relations; suggests concepts with a similar name. */
export async function unknownConcept(memory: Memory, concept: string): Promise<string> {
  if (!hasNotes(memory)) return NO_NOTES;
  const near = (await memory.similar(concept, 3)).filter(({ similarity }) => similarity >= NEAR);
  const names = near.map(({ name }) => `[[${oneLine(name)}]]`).join(", ");
  return `No note links [[${oneLine(concept)}]] together with another concept.${names === "" ? "" : ` Did you mean ${names}?`}`;
}
