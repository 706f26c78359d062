import { Plus, Waypoints } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NoteFacets, NoteHit, NoteHits } from "../../api/notes.ts";
import { noteAddress, useQuery } from "../core/address.ts";
import { count } from "../core/format.ts";
import { useKeys, useSearchField } from "../core/keys.ts";
import { useGet, useKept } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Chip } from "../parts/Chip.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Marked } from "../parts/Marked.tsx";
import { Page } from "../parts/Page.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import { newNoteAddress, shortUri } from "./addresses.ts";
import { NoteFilters } from "./NoteFilters.tsx";
import { NoteList } from "./NoteList.tsx";

const FILTERS = ["project", "folder", "tag", "order"] as const;
/** Long enough that a search does not run for every letter. */
const TYPING_MS = 80;

export type Filters = { readonly [K in (typeof FILTERS)[number]]?: string };

export function NotesPage() {
  const { query, set } = useQuery();
  const { route } = useLocation();
  const [typed, setTyped] = useState(query["q"] ?? "");
  const field = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const filters: Filters = Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
  const facets = useGet<NoteFacets>("/notes/facets", {}, ["notes"]);

  useEffect(() => {
    if (typed === (query["q"] ?? "")) return;
    const timer = setTimeout(() => set({ q: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(query["q"] ?? "");
  }, [query["q"]]);

  useSearchField("search notes", field);
  useKeys({
    n: { what: "new note", run: () => route(newNoteAddress({ folder: filters.folder })) },
    j: { what: "next note", run: () => moveFocus(rows.current, 1) },
    k: { what: "previous note", run: () => moveFocus(rows.current, -1) },
  });

  const searched = query["q"]?.trim() ?? "";
  return (
    <Page
      title="Notes"
      actions={
        <>
          <a class="button button-quiet notes-graph" href="/graph">
            <Icon of={Waypoints} /> Graph
          </a>
          <Button
            kind="primary"
            icon={Plus}
            hint="n"
            onClick={() => route(newNoteAddress({ folder: filters.folder }))}
          >
            New note
          </Button>
        </>
      }
      bar={
        <div class="stack gap-2 pad-top-3">
          <input
            ref={field}
            type="search"
            class="notes-search"
            placeholder="Search notes by words or meaning"
            aria-label="Search notes"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown") {
                event.preventDefault();
                moveFocus(rows.current, 1);
              }
              if (event.key === "Escape") {
                setTyped("");
                field.current?.blur();
              }
            }}
          />
          <ActiveFilters filters={filters} clear={(name) => set({ [name]: undefined })} />
        </div>
      }
      side={
        <NoteFilters
          facets={facets.data}
          filters={filters}
          choose={(changes) => set(changes, { push: true })}
        />
      }
      sideLabel="Filters"
    >
      <div ref={rows}>
        {searched === "" ? <NoteList filters={filters} set={set} /> : <Hits q={searched} filters={filters} />}
      </div>
    </Page>
  );
}

function ActiveFilters({ filters, clear }: { filters: Filters; clear: (name: string) => void }) {
  const active = (["project", "folder", "tag"] as const).flatMap((name) => {
    const value = filters[name];
    return value === undefined || value === "" ? [] : [{ name, value }];
  });
  if (active.length === 0) return null;
  return (
    <ul class="chips" aria-label="Active filters">
      {active.map(({ name, value }) => (
        <li key={name}>
          <Chip isOn onClick={() => clear(name)}>
            <span class="chip-aside">{name}</span> {value === "." ? "this project" : value}
            <span aria-hidden="true"> ×</span>
            <span class="unseen">, remove</span>
          </Chip>
        </li>
      ))}
    </ul>
  );
}

function Hits({ q, filters: { project, folder, tag } }: { q: string; filters: Filters }) {
  const found = useGet<NoteHits>("/notes/search", { q, project, folder, tag, limit: 30 }, ["notes"]);
  // The previous hits stay while a search runs, so that nothing jumps while typing.
  const kept = useKept(found, "");
  return (
    <Loaded resource={found.failure === undefined ? kept : found}>
      {({ hits, total, notices }) => (
        <>
          <p class="muted small" role="status">
            {total === 0 ? "No matching notes" : count(total, "note")}
            {notices.map((notice) => (
              <span key={notice}> · {notice}</span>
            ))}
          </p>
          {total === 0 ? (
            <Empty title={`No note matches "${q}"`}>
              Try fewer words, another spelling, or remove a filter.
            </Empty>
          ) : (
            <HitRows hits={hits} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** The results of a search, each with its best passage. */
function HitRows({ hits }: { hits: readonly NoteHit[] }) {
  return (
    <ol class="note-rows" aria-label="Notes found">
      {hits.map((hit) => (
        <li key={hit.uri}>
          <a class="note-row hover" href={noteAddress(hit.uri)}>
            <span class="flex baseline gap-3">
              <span class="note-title clip">
                <Marked text={hit.title} ranges={hit.titleMarks} />
              </span>
              {hit.relation === "own" && <Badge tone="accent">this project</Badge>}
              <span class="note-place muted small right clip">{shortUri(hit.uri)}</span>
              <Time at={hit.modified} class="note-time fixed muted small right" />
            </span>
            {hit.passage !== "" && (
              <span class="note-passage clamp muted break">
                <Marked text={hit.passage} ranges={hit.marks} />
              </span>
            )}
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Moves the focus to the next or previous row of a list; to the first row if none has the focus. */
function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>("a.note-row") ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
}
