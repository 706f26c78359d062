import { effect, signal } from "@preact/signals";

/** The title of the current view. */
export const shownTitle = signal("Continuo");

/** How much is pending for the user: agents that went idle and were not looked at, and suggestions. */
export const waiting = signal(0);

/** Called once, when the page starts. The tab's title shows that something is pending; no notification is requested. */
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
