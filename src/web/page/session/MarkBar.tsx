import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Outline, OutlineMark } from "../../api/conversation.ts";
import type { SessionKey } from "../conversation/Clipped.tsx";
import { isAbout, sessionPath } from "../core/api.ts";
import { useKeys } from "../core/keys.ts";
import { useGet } from "../core/resource.ts";
import { isSame, type MarkPlace, nextMark, PLACES, placesOf, shareAt } from "./marks.ts";

/**
 * Beside the conversation: where it was compacted, where something failed and where a rule was broken, each as a link
 * to its turn. A single Tab stop; arrow keys move inside.
 */
export function MarkBar({ outline }: { outline: Outline }) {
  const places = useMemo(() => placesOf(outline), [outline]);
  const [last, setLast] = useState<OutlineMark>();
  const bar = useRef<HTMLElement>(null);
  const go = (mark: OutlineMark | undefined) => {
    if (mark === undefined) return;
    setLast(mark);
    const hash = `#${encodeURIComponent(mark.turn)}`;
    if (location.hash === hash) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = hash;
  };
  const step = (by: 1 | -1) => go(nextMark(outline, last ?? hereAt.peek(), by));
  useKeys({
    "]": { what: "next compaction, error or broken rule", run: () => step(1) },
    "[": { what: "previous compaction, error or broken rule", run: () => step(-1) },
  });
  if (places.length === 0) return null;
  const chosen = Math.max(
    0,
    places.findIndex(({ marks }) => marks.some((one) => isSame(one, last))),
  );
  const here = hereAt.value === undefined ? undefined : shareAt(outline, hereAt.value);
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const links = [...(bar.current?.querySelectorAll<HTMLElement>("a") ?? [])];
    links[links.indexOf(document.activeElement as HTMLElement) + by]?.focus();
  };
  return (
    <nav class="mark-bar" ref={bar} aria-label="Compactions, errors and broken rules" onKeyDown={move}>
      {here !== undefined && <span class="mark-here" style={{ top: `${here * 100}%` }} aria-hidden="true" />}
      {places.map((place, index) => (
        <a
          key={place.at}
          class={`mark rounded-small hover-strong mark-${place.kind}`}
          style={{ top: `${(place.at / PLACES) * 100}%`, height: `${100 / PLACES}%` }}
          href={`#${encodeURIComponent(after(place, last).turn)}`}
          title={place.label}
          tabIndex={index === chosen ? 0 : -1}
          onClick={(event) => {
            event.preventDefault();
            go(after(place, last));
          }}
        >
          <span class="unseen">{place.label}</span>
        </a>
      ))}
    </nav>
  );
}

/** The first mark of a place, or the next one after the last visited. */
function after({ marks }: MarkPlace, last: OutlineMark | undefined): OutlineMark {
  const at = marks.findIndex((one) => isSame(one, last));
  return marks[(at + 1) % marks.length] as OutlineMark;
}

/** The time of the topmost visible turn. */
export const hereAt = signal<number | undefined>(undefined);

/** The outline of the whole conversation, because a long one is loaded in parts. The conversation works without it. */
export function useOutline({ host, id }: SessionKey): Outline | undefined {
  const about = isAbout({ host, id }, "session", "given");
  const { data, reload } = useGet<Outline>(sessionPath(host, id, "/conversation/outline"), {}, about);
  useEffect(() => {
    if (data?.isPart) reload();
  }, [data]);
  return data;
}
