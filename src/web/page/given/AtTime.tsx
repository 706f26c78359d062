import { X } from "lucide";
import { useState } from "preact/hooks";
import type { Known } from "../../api/given.ts";
import { count, exact } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import { localTime, timeTyped } from "./typed-time.ts";
import { sourceWord } from "./words.ts";

interface Props {
  readonly at: string | undefined;
  /** The time of the last shown entry. */
  readonly last: string | undefined;
  setAt(at: string | undefined): void;
}

/**
 * "What did it know at …": a field for a time. The browser's own field would use the format of the browser's language.
 */
export function AtTime({ at, last, setAt }: Props) {
  const [typed, setTyped] = useState<string>();
  const now = localTime(at ?? last ?? "");
  const value = typed ?? now;
  const time = timeTyped(value, now);
  const submit = (event: Event) => {
    event.preventDefault();
    if (time !== undefined) setAt(new Date(time + 999).toISOString());
    setTyped(undefined);
  };
  return (
    <form class="at-time row wrap muted" onSubmit={submit}>
      <label for="known-at">What did it know at</label>
      <input
        id="known-at"
        size={19}
        placeholder="2026-11-18 14:05"
        title="A time of that day, such as 14:05, or a day and a time"
        value={value}
        aria-invalid={time === undefined}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" kind={typed === undefined ? "quiet" : "plain"} disabled={time === undefined}>
        Show
      </Button>
      {at !== undefined && (
        <Button kind="quiet" onClick={() => setAt(undefined)}>
          Whole timeline
        </Button>
      )}
    </form>
  );
}

/** What the model had received from Continuo by one time. */
export function KnownHere({
  known,
  close,
  open,
}: {
  known: Known;
  close: () => void;
  open: (entry: number) => void;
}) {
  const { items, at } = known;
  const bySource = Map.groupBy(items, ({ source }) => source);
  return (
    <section class="known rounded surface-2 pad-4" aria-labelledby="known-title">
      <header class="flex start between gap-2 pad-bottom-2">
        <div>
          <h2 id="known-title">Known at this point</h2>
          <p class="muted small">{exact(Date.parse(at))}</p>
        </div>
        <Button kind="quiet" icon={X} aria-label="Show the whole timeline" onClick={close} />
      </header>
      {items.length === 0 ? (
        <p class="muted">Continuo had added nothing by then.</p>
      ) : (
        <>
          <p class="muted small">
            {count(items.length, "item")} from Continuo were in the model's context, in addition to the
            conversation.
          </p>
          {[...bySource].map(([source, list]) => (
            <div key={source} class="known-source pad-top-3">
              <h3 class="muted small">{sourceWord(source)}</h3>
              <ul>
                {list.map((item) => (
                  <li key={item.key}>
                    <button
                      type="button"
                      class="known-item hover-strong plain stack full break rounded"
                      onClick={() => open(item.entry)}
                    >
                      <span>{item.title}</span>
                      <span class="muted small clip">{item.reason}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </>
      )}
    </section>
  );
}
