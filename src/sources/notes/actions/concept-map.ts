import { assertAwaited } from "../../../base/deadline.ts";
import { normaliseConcept } from "../files/wikilinks.ts";
import type { Memory } from "../memory.ts";

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
  {
    depth,
    maxNodes,
    signal,
  }: { readonly depth: number; readonly maxNodes: number; readonly signal?: AbortSignal | undefined },
): Promise<ConceptMap> {
  const concept = normaliseConcept(conceptName.replace(/^\[\[|\]\]$/g, ""));
  const nodes = new Set([concept]);
  const found = new Map<string, { from: string; to: string; notes: number }>();
  let level = [concept];
  for (let i = 0; i < depth && level.length > 0; i++) {
    const next: string[] = [];
    for (const from of level) {
      assertAwaited(signal);
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
