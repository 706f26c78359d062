import { signal } from "@preact/signals";
import { ApiFailure } from "./api.ts";

/** A line at the bottom of the page after an action: what was done, and how to undo it. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
  readonly undo?: () => void;
}

export const notices = signal<readonly Notice[]>([]);

const SHOWN_MS = 6000;
const MOST = 3;
let last = 0;

/** Returns the notice's id. Pass it to `dismiss` when the notice is no longer true. */
export function notify(text: string, options: { undo?: () => void; isFailure?: boolean } = {}): number {
  last += 1;
  const notice: Notice = {
    id: last,
    text,
    isFailure: options.isFailure === true,
    ...(options.undo && { undo: options.undo }),
  };
  notices.value = [...notices.value, notice].slice(-MOST);
  setTimeout(() => dismiss(notice.id), options.undo || notice.isFailure ? SHOWN_MS * 2 : SHOWN_MS);
  return notice.id;
}

/** For an action that failed while the view stays. */
export function notifyFailure(what: string, error: unknown): void {
  const hint = error instanceof ApiFailure && error.hint !== undefined ? ` (${error.hint})` : "";
  const message = error instanceof Error ? error.message : String(error);
  notify(`${what}: ${message}${hint}`, { isFailure: true });
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((one) => one.id !== id);
}
