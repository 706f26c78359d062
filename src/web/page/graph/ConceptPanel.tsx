import type { ConceptAnswer, LinkedNoteRow } from "../../api/memory.ts";
import { noteAddress } from "../core/address.ts";
import { count } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { newNoteAddress } from "../memory/addresses.ts";
import { Chip } from "../parts/Chip.tsx";
import { Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";

interface Props {
  readonly concept: string;
  choose(name: string): void;
}

/** The context of a concept: notes that name it, and what they connect it with. */
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
            <Notes title="Notes that name it" notes={notes} />
            {related.length > 0 && (
              <section>
                <h2>
                  Related <span class="muted">{related.length}</span>
                </h2>
                <ul>
                  {related.map(({ name, notes: shared, files }) => (
                    <li key={name}>
                      <button
                        type="button"
                        class="side-row plain flex baseline between gap-3 rounded hover-strong"
                        onClick={() => choose(name)}
                        title={files.map(({ title }) => title).join(", ")}
                      >
                        <span class="clip">{name}</span>
                        <span class="muted small">{count(shared, "note")}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <Chips title="Further away" names={further} choose={choose} />
            <Chips title="Of the same community" names={siblings} choose={choose} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Notes({ title, notes }: { title: string; notes: readonly LinkedNoteRow[] }) {
  return (
    <section>
      <h2>
        {title} <span class="muted">{notes.length}</span>
      </h2>
      {notes.length === 0 && <p class="muted small">No note names it any more.</p>}
      <ul>
        {notes.map((note) => (
          <li key={note.uri}>
            <a
              class="side-row plain flex baseline between gap-3 rounded hover-strong"
              href={noteAddress(note.uri)}
            >
              <span class="clip">{note.title}</span>
              <Time at={note.modified} class="muted small" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Chips({
  title,
  names,
  choose,
}: {
  title: string;
  names: readonly string[];
  choose: (name: string) => void;
}) {
  if (names.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="chips">
        {names.map((name) => (
          <li key={name}>
            <Chip onClick={() => choose(name)}>{name}</Chip>
          </li>
        ))}
      </ul>
    </section>
  );
}
