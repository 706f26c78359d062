import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ListRow, SessionList } from "../../api/sessions.ts";
import { type ApiFailure, api, failureOf } from "../core/api.ts";
import { onEvent } from "../core/events.ts";
import { type Filters, filterKey, listQuery } from "./query.ts";

/** Rows of one request. */
const PART = 100;
/** Older parts are dropped: they are not visible, and can be loaded again. */
const MOST_PARTS = 30;
/** Events often come in groups. */
const GROUP_MS = 150;

export type ListHead = Omit<SessionList, "rows" | "offset">;

export interface List {
  /** Undefined until the first part is loaded. */
  readonly head: ListHead | undefined;
  readonly failure: ApiFailure | undefined;
  row(index: number): ListRow | undefined;
  /** Call it with the visible rows, to load what is missing. */
  show(from: number, to: number): void;
  reload(): void;
}

interface Loaded {
  key: string;
  head: ListHead | undefined;
  failure: ApiFailure | undefined;
  parts: Map<number, readonly ListRow[]>;
}

/**
 * A list of any length, loaded in parts as it is scrolled, and reloaded after events. Rows stay while newer ones are
 * loading.
 */
export function useList(filters: Filters): List {
  const key = filterKey(filters);
  const [, draw] = useState(0);
  const loaded = useRef<Loaded>(emptyList(key));
  const asked = useRef(new Map<number, AbortController>());
  const shown = useRef<readonly [number, number]>([0, PART]);
  const current = useRef(filters);
  current.current = filters;

  const load = useCallback(async (part: number): Promise<void> => {
    asked.current.get(part)?.abort();
    const controller = new AbortController();
    asked.current.set(part, controller);
    const of = loaded.current;
    try {
      const {
        rows,
        offset: _,
        ...head
      } = await api.get<SessionList>(
        "/sessions",
        listQuery(current.current, part * PART, PART),
        controller.signal,
      );
      of.parts.delete(part);
      of.parts.set(part, rows);
      const [oldest] = of.parts.keys();
      if (of.parts.size > MOST_PARTS && oldest !== undefined) of.parts.delete(oldest);
      // Only the first part contains the days.
      of.head = { ...of.head, ...head };
      of.failure = undefined;
    } catch (error) {
      if (controller.signal.aborted) return;
      of.failure = failureOf(error);
    } finally {
      if (asked.current.get(part) === controller) asked.current.delete(part);
    }
    if (of === loaded.current) draw((n) => n + 1);
  }, []);

  const reload = useCallback(() => {
    const [from, to] = shown.current;
    const parts = new Set([0, ...partsOf(from, to)]);
    // Parts that are not visible may be outdated when they are shown again.
    for (const part of loaded.current.parts.keys()) if (!parts.has(part)) loaded.current.parts.delete(part);
    for (const part of parts) void load(part);
  }, []);

  if (loaded.current.key !== key) {
    for (const controller of asked.current.values()) controller.abort();
    asked.current.clear();
    loaded.current = { ...emptyList(key) };
    shown.current = [0, PART];
  }
  useEffect(() => {
    void load(0);
  }, [key]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent(({ type }) => {
      if (type !== "session" && type !== "import" && type !== "reset") return;
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, GROUP_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
      for (const controller of asked.current.values()) controller.abort();
    };
  }, []);

  return {
    head: loaded.current.head,
    failure: loaded.current.failure,
    row: (index) => loaded.current.parts.get(Math.floor(index / PART))?.[index % PART],
    show(from, to) {
      shown.current = [from, to];
      for (const part of partsOf(from, to))
        if (!loaded.current.parts.has(part) && !asked.current.has(part)) void load(part);
    },
    reload,
  };
}

function emptyList(key: string): Loaded {
  return { key, head: undefined, failure: undefined, parts: new Map() };
}

function partsOf(from: number, to: number): number[] {
  const first = Math.floor(from / PART);
  const last = Math.floor(Math.max(from, to - 1) / PART);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
