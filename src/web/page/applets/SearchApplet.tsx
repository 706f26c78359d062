import { useState } from "preact/hooks";
import type { NoteHits } from "../../api/notes.ts";
import type { SessionSearch } from "../../api/sessions.ts";
import { noteAddress, turnAddress } from "../core/address.ts";
import { useGet } from "../core/resource.ts";
import { HostName } from "../parts/Badge.tsx";
import { Marked } from "../parts/Marked.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import type { AppletProps } from "./applet.ts";

const SHOWN = 8;

/** The applet `search`: notes and past sessions beside what is being read. */
export default function SearchApplet({ parameters, set }: AppletProps) {
  const query = (parameters["q"] ?? "").trim();
  const [typed, type] = useState(parameters["q"] ?? "");
  return (
    <>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          set({ q: typed.trim() }, { push: true });
        }}
      >
        <input
          class="full"
          type="search"
          aria-label="Search notes and sessions"
          placeholder="Search notes and sessions"
          value={typed}
          onInput={({ currentTarget }) => {
            type(currentTarget.value);
            set({ q: currentTarget.value.trim() });
          }}
        />
      </form>
      {query === "" ? (
        <p class="muted">Type what you are looking for.</p>
      ) : (
        <>
          <Notes query={query} />
          <Sessions query={query} />
        </>
      )}
    </>
  );
}

function Notes({ query }: { query: string }) {
  const found = useGet<NoteHits>("/notes/search", { q: query, limit: SHOWN }, ["notes"]);
  return (
    <section aria-label="Notes">
      <h3 class="muted pad-bottom-1">Notes</h3>
      <Loaded resource={found} lines={3}>
        {({ hits }) =>
          hits.length === 0 ? (
            <p class="muted">No matching notes.</p>
          ) : (
            <ul class="search-hits">
              {hits.map((hit) => (
                <li key={hit.uri}>
                  <a class="stack rounded-small hover-strong" href={noteAddress(hit.uri)}>
                    <strong>
                      <Marked text={hit.title} ranges={hit.titleMarks} />
                    </strong>
                    <span class="search-passage clamp muted small">
                      <Marked text={hit.passage} ranges={hit.marks} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Sessions({ query }: { query: string }) {
  const found = useGet<SessionSearch>("/sessions/search", { q: query, limit: SHOWN });
  return (
    <section aria-label="Sessions">
      <h3 class="muted pad-bottom-1">Sessions</h3>
      <Loaded resource={found} lines={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No matching sessions" />
          ) : (
            <ul class="search-hits">
              {rows.map((row) => (
                <li key={`${row.host}/${row.id}`}>
                  <a
                    class="stack rounded-small hover-strong"
                    href={turnAddress(row.host, row.id, row.passage?.turn)}
                  >
                    <strong>{row.name}</strong>
                    <span class="muted small">
                      <HostName host={row.host} /> · <Time at={row.modified} />
                    </span>
                    {row.passage && (
                      <span class="search-passage clamp muted small">
                        <Marked text={row.passage.text} ranges={row.passage.marks} />
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
