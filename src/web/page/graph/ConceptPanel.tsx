import type { ConceptAnswer } from "../../api/notes.ts";
import { noteAddress } from "../core/address.ts";
import { count } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { newNoteAddress } from "../notes/addresses.ts";
import { Chip } from "../parts/Chip.tsx";
import { SidePart, SideRow } from "../parts/Side.tsx";
import { Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

interface Props {
  readonly concept: string;
  choose(name: string): void;
}

/** The context of a concept: notes that name it, and the concepts they connect it with. */
export function ConceptPanel({ concept, choose }: Props) {
  const context = useGet<ConceptAnswer>("/graph/context", { concept }, ["notes"]);
  return (
    <div class="note-side concept-panel">
      <header>
        <p class="muted small">Concept</p>
        <h2 class="concept-name">{concept}</h2>
      </header>
      <Loaded resource={context}>
        {({ own, notes, related, further, siblings }) => (
          <>
            {own ? (
              <p>
                <a class="link" href={noteAddress(own.uri)}>
                  Open its note: {own.title}
                </a>
              </p>
            ) : (
              <p class="muted small">
                No note has this name.{" "}
                <a class="link" href={newNoteAddress({ title: concept.replaceAll("-", " ") })}>
                  Write it
                </a>
              </p>
            )}
            <SidePart title="Notes that name it" count={notes.length} empty="No note names it any more.">
              <ul>
                {notes.map(({ uri, title, modified }) => (
                  <SideRow key={uri} href={noteAddress(uri)} aside={<Time at={modified} />}>
                    {title}
                  </SideRow>
                ))}
              </ul>
            </SidePart>
            {related.length > 0 && (
              <SidePart title="Related" count={related.length}>
                <ul>
                  {related.map(({ name, notes: shared, files }) => (
                    <SideRow
                      key={name}
                      onClick={() => choose(name)}
                      title={files.map(({ title }) => title).join(", ")}
                      aside={count(shared, "note")}
                    >
                      {name}
                    </SideRow>
                  ))}
                </ul>
              </SidePart>
            )}
            <Chips title="Further away" names={further} choose={choose} />
            <Chips title="Of the same community" names={siblings} choose={choose} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Chips(props: { title: string; names: readonly string[]; choose: (name: string) => void }) {
  if (props.names.length === 0) return null;
  return (
    <SidePart title={props.title}>
      <ul class="chips">
        {props.names.map((name) => (
          <li key={name}>
            <Chip onClick={() => props.choose(name)}>{name}</Chip>
          </li>
        ))}
      </ul>
    </SidePart>
  );
}
