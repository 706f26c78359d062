import { signal } from "@preact/signals";
import { exact, relative } from "../core/format.ts";

/** Updated once a minute, for all times on the page. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === "visible") now.value = Date.now();
}, 60_000);

/** A relative time, with the exact one on hover. */
export function Time({ at, class: name }: { at: number | string; class?: string }) {
  const ms = typeof at === "number" ? at : Date.parse(at);
  if (!Number.isFinite(ms)) return null;
  return (
    <time class={name} dateTime={new Date(ms).toISOString()} title={exact(ms)}>
      {relative(ms, Math.max(now.value, ms))}
    </time>
  );
}
