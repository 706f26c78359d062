import { inSlices } from "../../../base/slices.ts";
import { filterOf } from "../../../sources/notes/actions/fields.ts";
import { type GraphView, graphSteps, versionOf } from "../../../sources/notes/graph/graph-view.ts";
import type { Memory } from "../../../sources/notes/memory.ts";
import type { LinkedNote } from "../../../sources/notes/note-index/link-targets.ts";
import { indexesFor, withoutRoot } from "../../../sources/notes/root-indexes.ts";
import type { ConceptAnswer, GraphAnswer } from "../../api/notes.ts";
import type { Web } from "../web.ts";
import type { Targets } from "./targets.ts";

interface AskedGraph {
  readonly project?: string | undefined;
  readonly folder?: string | undefined;
  readonly limit: number;
  readonly edges: number;
}

/** The most recently requested graphs, each until a note changes. */
interface KeptGraphs {
  graph(web: Web, memory: Memory, asked: AskedGraph): Promise<Omit<GraphAnswer, "state">>;
}

const KEPT = 4;

export function keptGraphs(): KeptGraphs {
  const kept = new Map<string, Promise<Omit<GraphAnswer, "state">>>();
  return {
    graph(web, memory, asked) {
      const indexes = indexesFor(memory.indexes(), asked.folder, memory.roots);
      const key = JSON.stringify([asked, versionOf(indexes)]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const steps = graphSteps(indexes, {
        filter: withoutRoot(filterOf({ project: asked.project, folder: asked.folder }, web)),
        maxConcepts: asked.limit,
        maxEdges: asked.edges,
      });
      const made = inSlices(steps).then(columns);
      kept.set(key, made);
      // A failed graph is requested again.
      made.catch(() => kept.delete(key));
      for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
      return made;
    },
  };
}

function columns({ names, notes, communities, edges, totalConcepts, totalEdges }: GraphView) {
  return {
    names,
    notes,
    communities,
    edges: edges.flatMap(({ a, b, weight }) => [a, b, weight]),
    totalConcepts,
    totalEdges,
  };
}

const MOST_RELATED = 40;

export async function conceptAnswer(
  memory: Memory,
  targets: Targets,
  { concept, depth }: { readonly concept: string; readonly depth: number },
): Promise<ConceptAnswer> {
  const context = await memory.buildContext({ conceptName: concept, depth, maxEntities: MOST_RELATED });
  const known = await targets.of(memory.indexes());
  const rows = new Map(known.notes.map((note) => [note.uri, note]));
  const linked = (uris: readonly string[]): LinkedNote[] => uris.flatMap((uri) => rows.get(uri) ?? []);
  const own = known.resolve(concept, "") ?? known.resolve(context.concept, "");
  return {
    concept: context.concept,
    notes: linked(context.notes),
    related: context.direct.map(({ name, notes, files }) => ({ name, notes, files: linked(files) })),
    further: context.expanded,
    siblings: context.siblings.map(({ name }) => name),
    own,
  };
}
