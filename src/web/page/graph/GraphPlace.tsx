import { useRef } from "preact/hooks";
import { useQuery } from "../core/address.ts";
import { useKeys } from "../core/keys.ts";
import { Button } from "../parts/Button.tsx";
import { Page } from "../parts/Page.tsx";
import { ConceptPanel } from "./ConceptPanel.tsx";
import { ConceptSearch } from "./ConceptSearch.tsx";
import { Graph } from "./Graph.tsx";

const DEPTHS = [
  ["", "Everything"],
  ["1", "1 step away"],
  ["2", "2 steps away"],
  ["3", "3 steps away"],
] as const;

/** `/graph`: the concepts of all notes, with the chosen one's context at the side. */
export default function GraphPlace() {
  const { query, set } = useQuery();
  const field = useRef<HTMLInputElement>(null);
  const concept = query["concept"];
  const isTable = query["view"] === "table";
  const choose = (name: string | undefined) => {
    set({ concept: name, ...(name === undefined && { depth: undefined }) }, { push: name !== undefined });
  };
  useKeys({
    "/": { what: "find a concept", run: () => field.current?.select() },
    t: { what: "picture or table", run: () => set({ view: isTable ? undefined : "table" }) },
    Esc: { what: "choose no concept", run: () => choose(undefined) },
  });
  return (
    <Page
      title="Graph"
      width="full"
      sideOpen={concept ?? false}
      sideLabel="Concept"
      side={
        concept === undefined ? (
          <p class="muted">Choose a concept to see the notes that name it, and what they connect it with.</p>
        ) : (
          <ConceptPanel concept={concept} choose={choose} />
        )
      }
      actions={
        <Button aria-pressed={isTable} hint="T" onClick={() => set({ view: isTable ? undefined : "table" })}>
          {isTable ? "Picture" : "Table"}
        </Button>
      }
      bar={
        <div class="flex wrap gap-2 pad-top-3">
          <ConceptSearch field={field} project={query["project"]} choose={choose} />
          <label>
            <span class="unseen">Notes of</span>
            <select
              value={query["project"] ?? ""}
              onChange={({ currentTarget }) => set({ project: currentTarget.value, concept: undefined })}
            >
              <option value="">All notes</option>
              <option value=".">This project</option>
            </select>
          </label>
          <label>
            <span class="unseen">How far from the chosen concept</span>
            <select
              value={query["depth"] ?? ""}
              disabled={concept === undefined}
              onChange={({ currentTarget }) => set({ depth: currentTarget.value })}
            >
              {DEPTHS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
      }
    >
      <Graph
        project={query["project"]}
        concept={concept}
        depth={query["depth"] ? Number(query["depth"]) : undefined}
        isTable={isTable}
        onConcept={choose}
      />
    </Page>
  );
}
