import { useEffect, useState } from "preact/hooks";
import type { ChatCompletion } from "../../api/chat.ts";
import { api } from "../core/api.ts";

export interface Completion {
  readonly items: ChatCompletion["items"];
  readonly at: number;
  /** Moves the selection; true if there is a list. */
  move(by: number): boolean;
  /** The text and the cursor position after choosing; undefined if there is nothing to choose. */
  choose(index?: number): { readonly text: string; readonly cursor: number } | undefined;
  close(): void;
}

const NONE: ChatCompletion = { replaces: "", items: [] };
const WAIT_MS = 80;

/** Completes `@@name` before the cursor. */
export function useCompletion(
  text: string,
  cursor: number,
  about: { project?: string; id?: string },
): Completion {
  const [found, setFound] = useState(NONE);
  const [at, setAt] = useState(0);
  const before = text.slice(0, cursor).split("\n").at(-1) ?? "";
  const isAsked = /(?:^|[\s(])@@(?:"[^"]*|[^\s"]*)$/.test(before);
  useEffect(() => {
    if (!isAsked) {
      setFound(NONE);
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      api
        .get<ChatCompletion>("/chats/complete", { before: before.slice(-500), ...about }, controller.signal)
        .then((answer) => {
          setFound(answer);
          setAt(0);
        })
        .catch(() => setFound(NONE)); // typing continues without a list
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isAsked ? before : ""]);
  const { items, replaces } = isAsked ? found : NONE;
  return {
    items,
    at,
    move(by) {
      if (items.length === 0) return false;
      setAt((at + by + items.length) % items.length);
      return true;
    },
    choose(index = at) {
      const item = items[index];
      if (item === undefined || !before.endsWith(replaces)) return undefined;
      const kept = `${text.slice(0, cursor - replaces.length)}${item.value} `;
      setFound(NONE);
      return { text: kept + text.slice(cursor), cursor: kept.length };
    },
    close: () => setFound(NONE),
  };
}
