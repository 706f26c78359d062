import { effect, signal } from "@preact/signals";

/** The title of what is shown. */
export const shownTitle = signal("Continuo");

/** How much waits for the person: agents that went idle and were not looked at, and suggestions. */
export const waiting = signal(0);

/** Called once, at the start of the page. The tab says that something waits; nothing asks to notify. */
export function followTitle(): void {
  effect(() => {
    document.title = titleOf(shownTitle.value, waiting.value);
  });
}

export function titleOf(title: string, waiting: number): string {
  const named = title === "Continuo" ? title : `${title} · Continuo`;
  if (waiting === 0) return named;
  return `(${waiting > 99 ? "99+" : waiting}) ${named}`;
}
