import { X } from "lucide";
import type { Known } from "../../api/given.ts";
import { count, exact } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import { sourceWord } from "./words.ts";

/** What the model had of Continuo's at one time. */
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
