import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { GraphAnswer } from "../../api/notes.ts";
import { useGet } from "../core/resource.ts";
import { Options, optionId } from "../parts/Options.tsx";

const MOST = 8;

/** Finds a concept by name: arrows choose, Enter opens it. */
export function ConceptSearch(props: {
  field: RefObject<HTMLInputElement | null>;
  project: string | undefined;
  choose: (name: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const graph = useGet<GraphAnswer>("/graph", { project: props.project, edges: 1 }, ["notes"]);
  const found = typed.trim() === "" ? [] : matching(graph.data?.names ?? [], typed).slice(0, MOST);
  const take = (name: string | undefined) => {
    if (name === undefined) return;
    setTyped("");
    props.choose(name);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    }
    if (event.key === "Enter") take(found[at]);
    if (event.key === "Escape") {
      event.stopPropagation();
      setTyped("");
      props.field.current?.blur();
    }
  };
  return (
    <div class="concept-search">
      <input
        ref={props.field}
        type="text"
        role="combobox"
        aria-label="Find a concept"
        aria-expanded={found.length > 0}
        aria-controls="concept-names"
        aria-autocomplete="list"
        {...(found.length > 0 ? { "aria-activedescendant": optionId("concept-names", at) } : {})}
        placeholder="Find a concept"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <Options
        id="concept-names"
        label="Concepts"
        options={found.map((name) => ({ key: name, text: name }))}
        chosen={at}
        isOpen={found.length > 0}
        take={({ text }) => take(text)}
      />
    </div>
  );
}

/** Names that begin with the typed text, then those that contain it. */
export function matching(names: readonly string[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase().replace(/\s+/g, "-");
  const first = names.filter((name) => name.startsWith(wanted));
  return [...first, ...names.filter((name) => name.indexOf(wanted) > 0)];
}
