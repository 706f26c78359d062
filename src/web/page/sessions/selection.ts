import { useRef, useState } from "preact/hooks";
import type { SessionRow } from "../../api/sessions.ts";
import { keyOf } from "./names.ts";

/** The selected session. It stays selected when the list changes. */
export interface Selection {
  /** Its index when it was selected, and which session it is. */
  readonly index: number | undefined;
  readonly key: string | undefined;
  readonly session: SessionRow | undefined;
  /** Incremented when keys move the selection: the row is then shown and focused. */
  readonly moved: number;
  /** The session whose name is being edited. */
  readonly renaming: string | undefined;
  select(index: number, row: SessionRow): void;
  /** Moves by this many rows; without a selection, to the first one. */
  move(by: number): void;
  rename(index: number, row: SessionRow): void;
  endRenaming(): void;
  clear(): void;
}

interface State {
  readonly index?: number;
  readonly session?: SessionRow;
  readonly moved: number;
  readonly renaming?: string;
}

/** `total`: number of rows; `rowAt` returns those that are loaded. */
export function useSelection(total: number, rowAt: (index: number) => SessionRow | undefined): Selection {
  const [state, setState] = useState<State>({ moved: 0 });
  const current = useRef(state);
  const set = (next: State): void => {
    current.current = next;
    setState(next);
  };
  const key = state.session && keyOf(state.session);
  const found = key === undefined ? undefined : placeOf(key, state.index ?? 0, total, rowAt);
  return {
    index: found ?? state.index,
    key,
    session: (found === undefined ? undefined : rowAt(found)) ?? state.session,
    moved: state.moved,
    renaming: state.renaming,
    select(index, session) {
      const before = current.current;
      if (before.session && keyOf(before.session) === keyOf(session) && before.index === index) return;
      set({ ...before, index, session });
    },
    move(by) {
      const before = current.current;
      const from = found ?? before.index;
      const index = from === undefined ? 0 : Math.max(0, Math.min(total - 1, from + by));
      const session = rowAt(index);
      if (session !== undefined) set({ index, session, moved: before.moved + 1 });
    },
    rename(index, session) {
      set({ index, session, moved: current.current.moved, renaming: keyOf(session) });
    },
    endRenaming() {
      const { renaming: _, ...rest } = current.current;
      set({ ...rest, moved: rest.moved + 1 });
    },
    clear: () => set({ moved: 0 }),
  };
}

/** Rows move when sessions continue: how far away the selected one is searched. */
const FAR = 200;

function placeOf(
  key: string,
  near: number,
  total: number,
  rowAt: (index: number) => SessionRow | undefined,
): number | undefined {
  for (let far = 0; far < FAR; far++) {
    for (const index of far === 0 ? [near] : [near + far, near - far]) {
      const row = index < 0 || index >= total ? undefined : rowAt(index);
      if (row !== undefined && keyOf(row) === key) return index;
    }
  }
  return undefined;
}
