import type { ComponentChildren } from "preact";

/** A section of a side panel. With a count of 0 it shows a placeholder. */
export function SidePart(props: {
  title: string;
  count?: number;
  empty?: string;
  children: ComponentChildren;
}) {
  return (
    <section>
      <h2>
        {props.title}
        {props.count !== undefined && props.count > 0 && <span class="muted"> {props.count}</span>}
      </h2>
      {props.count === 0 ? <p class="muted small">{props.empty}</p> : props.children}
    </section>
  );
}

interface RowProps {
  /** The link's address; without it, `onClick` is used. */
  readonly href?: string;
  readonly isOn?: boolean;
  readonly title?: string;
  /** At the end of the row. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  onClick?(): void;
}

/** One row of a list in a side panel. */
export function SideRow({ href, isOn, title, aside, children, onClick }: RowProps) {
  const name = "side-row plain flex baseline between gap-3 rounded hover-strong";
  const inner = (
    <>
      <span class="clip">{children}</span>
      <span class="fixed muted small">{aside}</span>
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <button type="button" class={name} title={title} aria-pressed={isOn} onClick={onClick}>
          {inner}
        </button>
      ) : (
        <a class={name} href={href} title={title}>
          {inner}
        </a>
      )}
    </li>
  );
}
