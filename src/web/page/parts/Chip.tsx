import type { ComponentChildren } from "preact";

interface Props {
  /** The link's address; without it, `onClick` is used. */
  readonly href?: string;
  readonly isOn?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
  onClick?(): void;
}

/** A short clickable name, in a list `<ul class="chips">`. */
export function Chip({ href, isOn = false, title, children, onClick }: Props) {
  const name = `chip ${isOn ? "chip-on" : ""}`;
  if (href !== undefined)
    return (
      <a class={name} href={href} title={title}>
        {children}
      </a>
    );
  return (
    <button type="button" class={name} title={title} onClick={onClick}>
      {children}
    </button>
  );
}
