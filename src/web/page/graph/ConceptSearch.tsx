import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { GraphAnswer } from "../../api/memory.ts";
import { api } from "../core/api.ts";
import { useResource } from "../core/resource.ts";

const MOST = 8;

/** Finds a concept by its name: arrows choose, Enter goes to it. */
export function ConceptSearch(props: {
  field: RefObject<HTMLInputElement | null>;
  project: string | undefined;
  choose: (name: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const graph = useResource(
    `concept names ${props.project ?? ""}`,
    (signal) => api.get<GraphAnswer>("/graph", { project: props.project, edges: 1 }, signal),
    {
      on: ({ type }) => type === "notes",
    },
  );
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
        {...(found.length > 0 ? { "aria-activedescendant": `concept-name-${at}` } : {})}
        placeholder="Find a concept"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul
        id="concept-names"
        role="listbox"
        aria-label="Concepts"
        class="link-titles"
        hidden={found.length === 0}
      >
        {found.map((name, i) => (
          <li
            key={name}
            id={`concept-name-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={(event) => {
              event.preventDefault();
              take(name);
            }}
          >
            <span class="clip">{name}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Those that begin with the typed text, then those that contain it. */
export function matching(names: readonly string[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase().replace(/\s+/g, "-");
  const first = names.filter((name) => name.startsWith(wanted));
  return [...first, ...names.filter((name) => name.indexOf(wanted) > 0)];
}
