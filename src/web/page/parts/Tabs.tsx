import { useRef } from "preact/hooks";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: number;
}

/** Tabs above a panel. Arrow keys move between them, as screen readers expect. The panel has `id={panelId(name)}`. */
export function Tabs(props: {
  name: string;
  tabs: readonly Tab[];
  chosen: string;
  choose: (id: string) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = props.tabs.findIndex(({ id }) => id === props.chosen);
    const next = (at + step + props.tabs.length) % props.tabs.length;
    props.choose(props.tabs[next]?.id ?? props.chosen);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.name} ref={list} onKeyDown={move}>
      {props.tabs.map(({ id, label, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${props.name}-tab-${id}`}
          aria-selected={id === props.chosen}
          aria-controls={panelId(props.name)}
          tabIndex={id === props.chosen ? 0 : -1}
          onClick={() => props.choose(id)}
        >
          {label}
          {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

export function panelId(name: string): string {
  return `${name}-panel`;
}
