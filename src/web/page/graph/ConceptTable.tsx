import { useMemo, useState } from "preact/hooks";
import type { GraphAnswer } from "../../api/notes.ts";
import { number } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import type { Group } from "./groups.ts";

/** The shown part of the graph, as a picture or as a table. */
export interface GraphView {
  readonly data: GraphAnswer;
  readonly groups: readonly Group[];
  readonly chosen: number;
  readonly among: ReadonlySet<number> | undefined;
  readonly community: number | undefined;
  choose(concept: number | undefined): void;
}

const FIRST = 200;

/** The same graph as a table: for the keyboard, for screen readers, and for browsers without WebGL. */
export function ConceptTable({ data, groups, chosen, among, community, choose }: GraphView) {
  const [shown, setShown] = useState(FIRST);
  const names = new Map(groups.map((group) => [group.community, group.name]));
  const degrees = useMemo(() => {
    const all = new Uint32Array(data.names.length);
    for (let at = 0; at < data.edges.length; at++) {
      const end = data.edges[at] ?? 0;
      if (at % 3 !== 2) all[end] = (all[end] ?? 0) + 1;
    }
    return all;
  }, [data]);
  const rows = [...data.names.keys()]
    .filter((at) => among?.has(at) ?? true)
    .filter((at) => community === undefined || data.communities[at] === community)
    .sort((a, b) => (data.notes[b] ?? 0) - (data.notes[a] ?? 0));
  return (
    <div class="concept-table grow short">
      <table class="table">
        <caption class="unseen">Concepts, by how many notes name them</caption>
        <thead>
          <tr>
            <th scope="col">Concept</th>
            <th scope="col" class="number">
              Notes
            </th>
            <th scope="col" class="number">
              Related
            </th>
            <th scope="col">Community</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((at) => (
            <tr key={at} aria-selected={at === chosen}>
              <th scope="row">
                <button type="button" class="link" onClick={() => choose(at)}>
                  {data.names[at]}
                </button>
              </th>
              <td class="number">{number(data.notes[at] ?? 0)}</td>
              <td class="number">{number(degrees[at] ?? 0)}</td>
              <td>{names.get(data.communities[at] ?? -1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <Button onClick={() => setShown(shown + 5 * FIRST)}>{`Show more of ${number(rows.length)}`}</Button>
      )}
    </div>
  );
}
