import { Search as SearchIcon } from "lucide";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useQuery } from "../core/address.ts";
import { count, number } from "../core/format.ts";
import { useKeys, useSearchField } from "../core/keys.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Page } from "../parts/Page.tsx";
import { Empty, Failed, Skeleton } from "../parts/States.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { layoutOf } from "./layout.ts";
import { filterKey, filtersIn, withoutFilters } from "./query.ts";
import { SearchResults, useSearch } from "./SearchResults.tsx";
import { useSelection } from "./selection.ts";
import { type ListHead, useList } from "./use-list.ts";
import { VirtualList } from "./VirtualList.tsx";

/** All sessions of all agents: what did we do? */
export default function SessionsPlace() {
  const { query, set } = useQuery();
  const field = useRef<HTMLInputElement>(null);
  const filters = filtersIn(query);
  const q = query["q"] ?? "";
  const isSearching = q.trim() !== "";
  const list = useList(filters);
  const search = useSearch(q, filters);
  const { head } = list;
  const layout = useMemo(() => layoutOf(head?.days ?? []), [head?.days]);
  const found = search.found?.rows ?? [];
  const inList = useSelection(head?.total ?? 0, list.row);
  const inSearch = useSelection(found.length, (index) => found[index]);
  const selection = isSearching ? inSearch : inList;
  useEffect(() => inSearch.clear(), [q]);

  const leave = (): void => {
    if (document.activeElement === field.current && q !== "") set({ q: undefined });
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    selection.clear();
  };
  useSearchField("search sessions", field);
  useKeys({
    // Enter opens it, because the selected session's link has the focus.
    j: { what: "next session; Enter opens it", run: () => selection.move(1) },
    k: { what: "previous session", run: () => selection.move(-1) },
    r: {
      what: "rename the session",
      run: () => {
        const { index, session } = selection;
        if (index !== undefined && session !== undefined) selection.rename(index, session);
      },
    },
    Esc: { what: "clear the search, leave the field", run: leave, whileTyping: true },
    ArrowDown: { what: "next session", run: () => selection.move(1) },
    ArrowUp: { what: "previous session", run: () => selection.move(-1) },
  });

  const hasFilters = Object.keys(filters).length > 0;
  const clear = hasFilters ? () => set(withoutFilters(), { push: true }) : undefined;
  return (
    <Page
      title="Sessions"
      width="full"
      heading={
        <h1>Sessions{head && head.total > 0 && <span class="sessions-total">{number(head.total)}</span>}</h1>
      }
      actions={
        head?.indexing && (
          <span class="muted small" role="status">
            Reading {number(head.indexing.done)} of {count(head.indexing.total, "session")}
          </span>
        )
      }
      bar={
        <>
          <label class="sessions-search row gap-2 faint rounded">
            <Icon of={SearchIcon} />
            <input
              ref={field}
              type="search"
              aria-label="Search sessions"
              placeholder="Search what was asked, answered and done"
              value={q}
              maxLength={1000}
              spellcheck={false}
              onInput={(event) => set({ q: event.currentTarget.value || undefined })}
              onKeyDown={(event) => {
                if (event.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
                event.preventDefault();
                selection.move(selection.session === undefined ? 1 : 0);
              }}
            />
            <kbd>/</kbd>
          </label>
          <FilterBar
            filters={filters}
            unobserved={head?.unobserved ?? 0}
            set={(changes) => set(changes, { push: true })}
          />
        </>
      }
    >
      {isSearching ? (
        <SearchResults q={q} search={search} selection={selection} clear={clear} />
      ) : (
        <div class="stack short">
          {list.failure && <Failed failure={list.failure} retry={list.reload} />}
          {head === undefined ? (
            !list.failure && <Skeleton lines={12} />
          ) : head.total === 0 ? (
            <NoSessions head={head} clear={clear} />
          ) : (
            <VirtualList name={filterKey(filters)} list={list} layout={layout} selection={selection} />
          )}
        </div>
      )}
    </Page>
  );
}

/** The list is empty, because of the filters or because nothing is indexed. */
function NoSessions({ head, clear }: { head: ListHead; clear: (() => void) | undefined }) {
  if (clear !== undefined && head.indexed > 0)
    return (
      <Empty title="No session matches these filters">
        <p>{count(head.indexed, "session")} in all.</p>
        <Button onClick={clear}>Clear filters</Button>
      </Empty>
    );
  if (head.indexing !== null) return <Reading {...head.indexing} />;
  return (
    <Empty title="No past sessions yet" command="continuo sessions index">
      <p>
        Sessions of Claude Code, OpenCode, pi, Codex, Copilot and Gemini on this machine are read by
        themselves. Start one, or read those that are there with this command:
      </p>
    </Empty>
  );
}

/** The progress of reading transcripts. */
function Reading({ done, total }: { done: number; total: number }) {
  return (
    <div class="state">
      <p class="state-title">Reading past sessions</p>
      <progress class="reading" max={Math.max(1, total)} value={done} aria-label="Sessions read" />
      <p class="state-text">
        {number(done)} of {count(total, "session")}. They appear here as they are read.
      </p>
    </div>
  );
}
