import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GivenEntry, GivenTimeline, MeasuredCache } from "../../api/given.ts";
import { useQuery } from "../core/address.ts";
import { sessionPath } from "../core/api.ts";
import { count, dayName, duration, number } from "../core/format.ts";
import { useKeys } from "../core/keys.ts";
import { useGet, useKept } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Figure } from "../parts/Facts.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { now } from "../parts/Time.tsx";
import { AtTime, KnownHere } from "./AtTime.tsx";
import { EntryRow } from "./EntryRow.tsx";
import { cacheText, share, titleOf } from "./words.ts";

const FIRST = 100;
const MOST = 500;

/** What was added to a session. `at` in the address shows the state at a time, such as a turn's. */
export function Given({ host, id }: { host: string; id: string }) {
  const { query, set } = useQuery();
  const { at } = query;
  const [limit, setLimit] = useState(FIRST);
  const path = sessionPath(host, id, "/given");
  const found = useGet<GivenTimeline>(
    path,
    { limit, at },
    (event) => event.type === "rules" || (event.type === "given" && event.session.id === id),
  );
  // The timeline stays while another time is loading.
  const timelines = useKept(found, path);
  return (
    <Loaded resource={timelines}>
      {(timeline) => (
        <Timeline
          host={host}
          id={id}
          timeline={timeline}
          at={at}
          setAt={(next) => set({ at: next })}
          more={limit < MOST && timeline.hasEarlier ? () => setLimit(Math.min(MOST, limit + 200)) : undefined}
        />
      )}
    </Loaded>
  );
}

interface Props {
  readonly host: string;
  readonly id: string;
  readonly timeline: GivenTimeline;
  readonly at: string | undefined;
  setAt(at: string | undefined): void;
  readonly more: (() => void) | undefined;
}

function Timeline({ host, id, timeline, at, setAt, more }: Props) {
  const { entries, known, project, waiting, total } = timeline;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<HTMLOListElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const owner = { host, id, project };
  const marked = at === undefined ? undefined : known?.entry;
  const show = (entry: number) => {
    setOpen((before) => new Set(before).add(entry));
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`#given-${entry}`);
      row?.scrollIntoView({ block: "center" });
      row?.querySelector<HTMLElement>(".entry-line")?.focus({ preventScroll: true });
    });
  };
  useEffect(() => {
    if (known === undefined) return;
    // After the browser has restored its own scroll position.
    requestAnimationFrame(() => box.current?.querySelector(".known")?.scrollIntoView({ block: "start" }));
  }, [known?.at]);
  const move = (step: number) => {
    const lines = [...(list.current?.querySelectorAll<HTMLElement>(".entry-line:not(:disabled)") ?? [])];
    const now = lines.indexOf(document.activeElement as HTMLElement);
    lines[Math.max(0, Math.min(lines.length - 1, now + step))]?.focus();
  };
  useKeys({
    j: { what: "next entry", run: () => move(1) },
    k: { what: "previous entry", run: () => move(-1) },
  });
  if (total === 0) return <NothingGiven waits={waiting.length} />;
  const compactions = numbered(entries, timeline.sums.compactions);
  return (
    <div class="given" ref={box}>
      <Sums host={host} id={id} timeline={timeline} />
      <AtTime at={at} last={entries.at(-1)?.at} setAt={setAt} />
      {at !== undefined && known && <KnownHere known={known} close={() => setAt(undefined)} open={show} />}
      {more && (
        <Button kind="quiet" onClick={more}>
          Show earlier entries
        </Button>
      )}
      {!more && timeline.hasEarlier && <p class="muted small">Older entries: choose a time above.</p>}
      <ol class="relative" ref={list} aria-label="What Continuo added, oldest first">
        {entries.map((entry, i) => (
          <Fragment key={entry.id}>
            <DayHeading at={entry.at} before={entries[i - 1]?.at} />
            <EntryRow
              entry={entry}
              title={titleOf(entry, compactions)}
              owner={owner}
              isOpen={open.has(entry.id)}
              isMarked={entry.id === marked}
              toggle={() =>
                setOpen((before) => {
                  const after = new Set(before);
                  if (!after.delete(entry.id)) after.add(entry.id);
                  return after;
                })
              }
              lookAt={() => setAt(entry.at)}
            />
          </Fragment>
        ))}
      </ol>
      {waiting.length > 0 && (
        <p class="muted small">
          {count(waiting.length, "more item")} {waiting.length === 1 ? "waits" : "wait"} for an output with
          room: {waiting.map(({ title }) => title).join(", ")}
        </p>
      )}
    </div>
  );
}

function DayHeading({ at, before }: { at: string; before: string | undefined }) {
  const day = dayName(Date.parse(at), now.value);
  if (before !== undefined && dayName(Date.parse(before), now.value) === day) return null;
  return <li class="timeline-day small muted">{day}</li>;
}

/** Numbers compactions from the session's first, even if only its last entries are shown. */
function numbered(entries: readonly GivenEntry[], all: number): ReadonlyMap<number, number> {
  const shown = entries.filter(({ kind }) => kind === "compaction");
  return new Map(shown.map(({ id, epoch }, i) => [id, epoch > 1 ? epoch - 1 : all - shown.length + i + 1]));
}

function Sums({ host, id, timeline }: { host: string; id: string; timeline: GivenTimeline }) {
  const { tokens, deliveries, compactions, moments, ms } = timeline.sums;
  const path = sessionPath(host, id, "/given/cache");
  const { data } = useGet<{ cache: MeasuredCache | null }>(path);
  const cache = data?.cache;
  return (
    <dl class="figures">
      <Figure name="Tokens added" value={number(tokens)}>
        {count(deliveries, "time")}
        {compactions > 0 && `, ${count(compactions, "compaction")}`}
      </Figure>
      <Figure name="Input from cache" value={cache ? share(cache) : "–"}>
        {cache ? cacheText(cache) : cache === null ? "not recorded by this agent" : "reading the transcript"}
      </Figure>
      <Figure name="Time added" value={moments === 0 ? "–" : duration(ms)}>
        {moments === 0
          ? "not measured"
          : `in ${count(moments, "event")}; hooks with nothing to do are not counted`}
      </Figure>
    </dl>
  );
}

function NothingGiven({ waits }: { waits: number }) {
  return (
    <Empty title="Continuo added nothing to this session" command="continuo why">
      <p>
        Nothing is added unless something applies: a rule of the project, a note about it, a past session, a
        learning. Or the session ran while Continuo was not connected to its agent.
      </p>
      {waits > 0 && <p>{count(waits, "item")} wait for an output with room.</p>}
    </Empty>
  );
}
