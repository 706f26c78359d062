import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ListRow } from "../../api/sessions.ts";
import { dayName } from "../core/format.ts";
import { now } from "../parts/Time.tsx";
import { type Layout, ROW_HEIGHT, rowsBetween, visibleSlots } from "./layout.ts";
import { keyOf, rename } from "./names.ts";
import { Columns, Row } from "./Row.tsx";
import type { Selection } from "./selection.ts";
import type { List } from "./use-list.ts";

/** The scroll position of each list, for when the user comes back. */
const places = new Map<string, number>();

/** Sessions by day. Only visible rows, and a few more, are in the document. */
export function VirtualList(props: { name: string; list: List; layout: Layout; selection: Selection }) {
  const { list, layout, selection } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const look = (): void => {
    const element = scroller.current;
    if (element === null) return;
    places.set(props.name, element.scrollTop);
    setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = places.get(props.name) ?? 0;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [props.name]);

  const [from, to] = visibleSlots(view.top, view.height, layout.slots);
  const rows = rowsBetween(layout, from, to);
  useEffect(() => {
    if (rows !== undefined) list.show(rows[0], rows[1]);
  }, [rows?.[0], rows?.[1], list.head]);

  // When keys moved the selection, the selected row is scrolled into view and focused.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || selection.moved === 0 || selection.index === undefined) return;
    const top = layout.slotOf(selection.index) * ROW_HEIGHT;
    // The heading of a day is shown together with its first row.
    if (top - ROW_HEIGHT < element.scrollTop) element.scrollTop = Math.max(0, top - ROW_HEIGHT);
    else if (top + 2 * ROW_HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTop = top + 2 * ROW_HEIGHT - element.clientHeight;
    look();
  }, [selection.moved]);
  useLayoutEffect(() => {
    if (selection.moved === 0 || selection.key === undefined || selection.renaming !== undefined) return;
    const row = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-key]") ?? [])].find(
      (one) => one.dataset["key"] === selection.key,
    );
    row?.querySelector("a")?.focus({ preventScroll: true });
  }, [selection.moved, view.top]);

  const slots = Array.from({ length: to - from }, (_, at) => from + at);
  return (
    <div class="sessions-scroll grow short line-top scroll" ref={scroller} onScroll={look}>
      <Columns />
      <ul class="sessions-list" style={{ height: `${layout.slots * ROW_HEIGHT}px` }} aria-label="Sessions">
        {slots.map((slot) => {
          const found = layout.slotAt(slot);
          if (found === undefined) return null;
          if (found.kind === "day")
            return (
              <li
                key={`day-${found.day.at}`}
                class="sessions-day flex gap-2 line-bottom"
                style={placeOf(slot)}
              >
                <h2>{dayName(found.day.at, now.value)}</h2>
                <span class="count">{found.day.count}</span>
              </li>
            );
          const row = list.row(found.index);
          return row === undefined ? (
            <Coming key={`slot-${slot}`} slot={slot} />
          ) : (
            <Placed key={keyOf(row)} row={row} index={found.index} slot={slot} selection={selection} />
          );
        })}
      </ul>
    </div>
  );
}

interface PlacedProps {
  readonly row: ListRow;
  readonly index: number;
  readonly slot: number;
  readonly selection: Selection;
}

function Placed({ row, index, slot, selection }: PlacedProps) {
  const key = keyOf(row);
  return (
    <Row
      row={row}
      depth={row.depth}
      style={placeOf(slot)}
      isSelected={selection.key === key}
      isRenaming={selection.renaming === key}
      select={() => selection.select(index, row)}
      startRenaming={() => selection.rename(index, row)}
      finishRenaming={(name) => {
        selection.endRenaming();
        if (name !== undefined) void rename(row, name);
      }}
    />
  );
}

/** A placeholder for a row that is loading. */
function Coming({ slot }: { slot: number }) {
  return (
    <li class="session-row session-row-coming" aria-hidden="true" style={placeOf(slot)}>
      <span class="session-sign" />
      <span class="skeleton-line" />
    </li>
  );
}

const placeOf = (slot: number) => ({ transform: `translateY(${slot * ROW_HEIGHT}px)` });
