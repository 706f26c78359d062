import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FoundSession, SessionSearch } from "../../api/sessions.ts";
import { sessionAddress } from "../core/address.ts";
import { api } from "../core/api.ts";
import { count, number } from "../core/format.ts";
import { useResource } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Marked } from "../parts/Marked.tsx";
import { Empty, Failed, Skeleton } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import { keyOf, rename } from "./names.ts";
import { type Filters, filterKey } from "./query.ts";
import { Columns, Row } from "./Row.tsx";
import type { Selection } from "./selection.ts";

const STEP = 30;
const MOST = 100;
const ROLES = { user: "You", assistant: "Agent", summary: "Summary" } as const;

/** Searches while the user types. The previous results stay until the next ones arrive, so that nothing flickers. */
export function useSearch(q: string, filters: Filters): Search {
  const [limit, setLimit] = useState(STEP);
  const [weaker, setWeaker] = useState(false);
  const key = `${q}\n${filterKey(filters)}`;
  useEffect(() => {
    setLimit(STEP);
    setWeaker(false);
  }, [key]);
  const resource = useResource(
    `${key}\n${limit} ${weaker}`,
    (signal) =>
      q.trim() === ""
        ? Promise.resolve(undefined)
        : api.get<SessionSearch>(
            "/sessions/search",
            { ...filters, q, limit, ...(weaker && { weaker }) },
            signal,
          ),
    { on: ({ type }) => type === "session" || type === "import" },
  );
  const last = useRef<SessionSearch | undefined>(undefined);
  if (resource.data !== undefined) last.current = resource.data;
  if (q.trim() === "") last.current = undefined;
  const more = (last.current?.total ?? 0) > limit && limit < MOST;
  return {
    found: last.current,
    isCurrent: resource.data !== undefined,
    resource,
    ...(more ? { showMore: () => setLimit(Math.min(MOST, limit + STEP)) } : {}),
    ...((last.current?.weaker ?? 0) > 0 ? { showWeaker: () => setWeaker(true) } : {}),
  };
}

export interface Search {
  readonly found: SessionSearch | undefined;
  /** Whether the results are for the latest query. */
  readonly isCurrent: boolean;
  readonly resource: Pick<ReturnType<typeof useResource>, "failure" | "isSlow" | "reload">;
  readonly showMore?: () => void;
  readonly showWeaker?: () => void;
}

export function SearchResults(props: {
  q: string;
  search: Search;
  selection: Selection;
  clear: (() => void) | undefined;
}) {
  const { q, search, selection, clear } = props;
  const { found, resource } = search;
  const scroller = useRef<HTMLDivElement>(null);
  // Before the next key: Enter selects the first one, and Enter again opens it.
  useLayoutEffect(() => {
    if (selection.moved === 0 || selection.key === undefined || selection.renaming !== undefined) return;
    const rows = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-key]") ?? [])];
    rows
      .find((one) => one.dataset["key"] === selection.key)
      ?.querySelector("a")
      ?.focus();
  }, [selection.moved]);
  if (resource.failure !== undefined) return <Failed failure={resource.failure} retry={resource.reload} />;
  if (found === undefined)
    return <div class="sessions-scroll grow short line-top scroll">{resource.isSlow && <Skeleton />}</div>;
  if (found.rows.length === 0)
    return (
      <div class="sessions-scroll grow short line-top scroll">
        <Empty title={`Nothing found for "${q}"`}>
          {found.notices.map((notice) => (
            <p key={notice}>{notice}</p>
          ))}
          <p>Sessions are searched by words and by meaning. Try other words{clear && ", or all sessions"}.</p>
          {clear && <Button onClick={clear}>Search all sessions</Button>}
        </Empty>
      </div>
    );
  return (
    <div class="sessions-scroll grow short line-top scroll" ref={scroller} aria-busy={!search.isCurrent}>
      <p class="search-summary muted small" role="status">
        {count(found.total, "session")}
        {found.notices.length > 0 && ` · ${found.notices.join(" · ")}`}
      </p>
      <Columns />
      <ul class="search-list" aria-label="Found sessions">
        {found.rows.map((row, index) => (
          <Row
            key={keyOf(row)}
            row={row}
            {...(row.passage === null ? {} : { turn: row.passage.turn })}
            isSelected={selection.key === keyOf(row)}
            isRenaming={selection.renaming === keyOf(row)}
            select={() => selection.select(index, row)}
            startRenaming={() => selection.rename(index, row)}
            finishRenaming={(name) => {
              selection.endRenaming();
              if (name !== undefined) void rename(row, name);
            }}
          >
            <Passage row={row} />
            <Copies row={row} />
          </Row>
        ))}
      </ul>
      <p class="pad-3">
        {search.showMore && <Button onClick={search.showMore}>Show more</Button>}
        {!search.showMore && search.showWeaker && (
          <Button kind="quiet" onClick={search.showWeaker}>
            Show {count(found.weaker, "weaker match", "weaker matches")}
          </Button>
        )}
      </p>
    </div>
  );
}

function Passage({ row }: { row: FoundSession }) {
  const { passage } = row;
  if (passage === null) return <p class="session-passage clamp muted break">{row.lastRequest}</p>;
  return (
    <p class="session-passage clamp muted break">
      <span class="faint">
        {ROLES[passage.role]}
        {passage.isAbandoned && " (abandoned branch)"}:{" "}
      </span>
      <Marked text={passage.text} ranges={passage.marks} />
    </p>
  );
}

/** Sessions that match in the same words: forks, copies of a transcript, runs of a script. */
function Copies({ row: { copies } }: { row: FoundSession }) {
  if (copies.total === 0) return null;
  const rest = copies.total - copies.shown.length;
  return (
    <details class="session-copies narrow relative">
      <summary class="pointer">{count(copies.total, "copy", "copies")} with the same text</summary>
      <ul>
        {copies.shown.map(({ host, id, name, modified }) => (
          <li key={`${host}/${id}`} class="flex gap-3">
            <a class="link clip" href={sessionAddress(host, id)}>
              {name}
            </a>
            <Time at={modified} class="nowrap" />
          </li>
        ))}
      </ul>
      {rest > 0 && <p>and {number(rest)} more</p>}
    </details>
  );
}
