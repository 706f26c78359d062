import { oneLine } from "../../../base/for-terminal.ts";
import type { ConceptContext } from "../../../sources/memory/graph/build-context.ts";
import type { Command } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { unknownConcept } from "./unknown-concept.ts";
import { lookFirst, withMemory } from "./with-memory.ts";
import { subject, wholeOf } from "./words.ts";

const USAGE = "context CONCEPT";

export const contextCommand: Command = {
  name: "context",
  summary: "what is named together with a concept, and in which notes",
  usage: USAGE,
  group: "notes",
  options: {
    depth: { type: "string", value: "N", help: "steps in the graph, 0 to 5; 2 without it" },
    max: { type: "string", value: "N", help: "concepts at most; 20 without it" },
    content: { type: "boolean", help: "a piece of each note too" },
  },
  run(input) {
    const conceptName = subject(input, "concept", USAGE).replace(/^\[\[|\]\]$/g, "");
    const depth = wholeOf(input, "depth", 0, 5) ?? 2;
    const maxEntities = wholeOf(input, "max", 1, 200) ?? 20;
    const includeContent = input.values["content"] === true;
    return withMemory(input, async (memory) => {
      await lookFirst(input, memory);
      const context = await memory.buildContext({ conceptName, depth, maxEntities, includeContent });
      if (context.direct.length === 0 && context.expanded.length === 0) {
        return { data: context, text: await unknownConcept(memory, context.concept) };
      }
      return { data: context, text: lines(context).join("\n") };
    });
  },
};

function lines({ concept, direct, expanded, siblings }: ConceptContext): string[] {
  const rows = direct.map((one) => [oneLine(one.name), String(one.notes), one.files.join(" ")]);
  const previews = direct.flatMap((one) => Object.entries(one.preview ?? {}));
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : ["", `${title}: ${names.map(oneLine).join(", ")}`];
  return [
    `[[${oneLine(concept)}]] is named together with:`,
    table(["concept", "notes", "the newest of them"], rows),
    ...list("Further away", expanded),
    ...list(
      "In the same community",
      siblings.map(({ name }) => name),
    ),
    ...[...new Map(previews)].flatMap(([uri, text]) => ["", uri, `  ${oneLine(text)}`]),
  ];
}
