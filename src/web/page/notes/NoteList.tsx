import { useEffect, useRef, useState } from "preact/hooks";
import type { NoteList as List, MemoryState, NoteOrder, NoteRow } from "../../api/notes.ts";
import { noteAddress } from "../core/address.ts";
import { api } from "../core/api.ts";
import { count, dayName } from "../core/format.ts";
import { useKept, useResource } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { now, Time } from "../parts/Time.tsx";
import { folderOf } from "./addresses.ts";
import type { Filters } from "./NotesPage.tsx";

const PAGE = 100;
/** The server returns at most this many at once. */
const MOST_AT_ONCE = 500;

const ORDERS: readonly (readonly [NoteOrder, string])[] = [
  ["project", "This project first"],
  ["recent", "Newest first"],
  ["use", "Most used first"],
  ["title", "By title"],
];

/** All notes that match the filters. More are loaded when the end comes into view. */
export function NoteList(props: {
  filters: Filters;
  set: (changes: Readonly<Record<string, string | undefined>>) => void;
}) {
  const { project, folder, tag, order = "project" } = props.filters;
  const key = JSON.stringify([project, folder, tag, order]);
  const [wanted, setWanted] = useState({ key, rows: PAGE });
  const rows = wanted.key === key ? wanted.rows : PAGE;
  const found = useResource(
    `${key} ${rows}`,
    (signal) => load({ project, folder, tag, order }, rows, signal),
    { on: ({ type }) => type === "notes" },
  );
  // While more rows are loading, the existing ones stay.
  const list = useKept(found, key);
  return (
    <Loaded resource={list} lines={10}>
      {(found) => (
        <>
          <MemoryNotice state={found.state} />
          {found.total === 0 ? (
            <NoNotes isFiltered={Boolean(project || folder || tag)} isIndexing={found.state.isIndexing} />
          ) : (
            <>
              <div class="row between gap-3">
                <p class="muted small" role="status">
                  {count(found.total, "note")}
                  {found.own > 0 && found.own < found.total && ` · ${found.own} of this project`}
                </p>
                <label class="notes-order">
                  <span class="unseen">Order</span>
                  <select
                    value={order}
                    onChange={({ currentTarget }) =>
                      props.set({
                        order: currentTarget.value === "project" ? undefined : currentTarget.value,
                      })
                    }
                  >
                    {ORDERS.map(([value, label]) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              {groupsOf(found.notes, order).map(({ name, notes }) => (
                <section key={name} aria-label={name === "" ? "Notes" : name}>
                  {name !== "" && <h2 class="notes-group">{name}</h2>}
                  <ul class="note-rows">
                    {notes.map((note) => (
                      <Row key={note.uri} note={note} />
                    ))}
                  </ul>
                </section>
              ))}
              {found.notes.length < found.total && (
                <MoreRows key={found.notes.length} more={() => setWanted({ key, rows: rows + PAGE })} />
              )}
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

async function load(
  query: Readonly<Record<string, string | undefined>>,
  rows: number,
  signal: AbortSignal,
): Promise<List> {
  const pages = Array.from({ length: Math.ceil(rows / MOST_AT_ONCE) }, (_, page) =>
    api.get<List>(
      "/notes",
      { ...query, offset: page * MOST_AT_ONCE, limit: Math.min(MOST_AT_ONCE, rows - page * MOST_AT_ONCE) },
      signal,
    ),
  );
  const found = await Promise.all(pages);
  const [first] = found;
  if (first === undefined) throw new Error("no rows were asked for");
  return { ...first, notes: found.flatMap(({ notes }) => notes) };
}

/** Grouped by project, else by day. */
export function groupsOf(
  notes: readonly NoteRow[],
  order: string,
): readonly { readonly name: string; readonly notes: readonly NoteRow[] }[] {
  if (order === "title" || order === "use") return [{ name: "", notes }];
  const byDay = (note: NoteRow): string => dayName(note.modified, Math.max(now.value, note.modified));
  const nameOf =
    order === "recent"
      ? byDay
      : (note: NoteRow) => (note.relation === "own" ? "This project" : "Other notes");
  const byName = new Map<string, NoteRow[]>();
  for (const note of notes) {
    const group = byName.get(nameOf(note));
    if (group === undefined) byName.set(nameOf(note), [note]);
    else group.push(note);
  }
  const groups = [...byName].map(([name, its]) => ({ name, notes: its }));
  return order === "project" && groups.length === 1 && groups[0]?.name === "Other notes"
    ? [{ name: "", notes }]
    : groups;
}

function Row({ note }: { note: NoteRow }) {
  return (
    <li>
      <a class="note-row hover" href={noteAddress(note.uri)}>
        <span class="flex baseline gap-3">
          <span class="note-title clip">{note.title}</span>
          {note.problem !== undefined && (
            <Badge tone="warn" title={note.problem}>
              problem
            </Badge>
          )}
          {note.tags.length > 0 && (
            <span class="note-tags clip">
              {note.tags.slice(0, 3).map((tag) => (
                <span key={tag} class="note-tag muted small">
                  #{tag}
                </span>
              ))}
            </span>
          )}
          <span class="note-place muted small right clip">
            {[note.relation === "own" ? undefined : note.project, folderOf(note.uri)]
              .filter(Boolean)
              .join(" · ")}
          </span>
          <Time at={note.modified} class="note-time fixed muted small right" />
        </span>
      </a>
    </li>
  );
}

function MoreRows({ more }: { more: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        more();
      },
      { rootMargin: "800px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="notes-more faint small" ref={end}>
      Loading more
    </div>
  );
}

function NoNotes({ isFiltered, isIndexing }: { isFiltered: boolean; isIndexing: boolean }) {
  if (isFiltered) return <Empty title="No notes here">Remove a filter to see other notes.</Empty>;
  if (isIndexing) return <Empty title="Reading your notes">They appear here as they are indexed.</Empty>;
  return (
    <Empty title="No notes yet" command='continuo note "We chose SQLite for search."'>
      Notes are Markdown files. Write one here, in a terminal, or let the agent write them. You can also read
      the notes of another program: <code>continuo memory add FOLDER</code>
    </Empty>
  );
}

/** What the user should know before relying on notes: disabled, answered by another program, still indexing. */
function MemoryNotice({ state }: { state: MemoryState }) {
  const lines = [
    ...(state.isOn
      ? []
      : [
          "Notes are turned off: agents are given none. To turn them on, set sources.memory.enabled to true.",
        ]),
    ...(state.command === undefined
      ? []
      : [
          `Sessions start with what "${state.command}" answers, not with these notes (sources.memory.command).`,
        ]),
    ...(state.isIndexing ? ["Notes are being indexed; some may be missing from lists and searches."] : []),
    ...state.problems,
  ];
  if (lines.length === 0) return null;
  return (
    <div class="memory-notice warn break rounded" role="note">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
