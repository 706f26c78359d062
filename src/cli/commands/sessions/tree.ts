import { originOf } from "../../../sources/sessions/indexing/lineage.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";

export interface Branch {
  readonly session: PastSession;
  /** 0 for one that began by itself, or whose origin is not in the list. */
  readonly depth: number;
}

/** Each session followed by what came of it; otherwise in the order of the list. */
export function treeOf(sessions: readonly PastSession[]): Branch[] {
  const keyOf = (host: string, id: string): string => `${host}/${id}`;
  const listed = new Set(sessions.map(({ host, id }) => keyOf(host, id)));
  const below = new Map<string, PastSession[]>();
  const roots: PastSession[] = [];
  for (const session of sessions) {
    const from = originOf(session);
    const key = from === undefined ? "" : keyOf(session.host, from.id);
    if (!listed.has(key)) roots.push(session);
    else below.set(key, [...(below.get(key) ?? []), session]);
  }
  const tree: Branch[] = [];
  const done = new Set<PastSession>();
  const grow = (session: PastSession, depth: number): void => {
    if (done.has(session)) return;
    done.add(session);
    tree.push({ session, depth });
    for (const one of below.get(keyOf(session.host, session.id)) ?? []) grow(one, depth + 1);
  };
  for (const root of roots) grow(root, 0);
  // Files that name each other as their origin have no root.
  for (const session of sessions) grow(session, 0);
  return tree;
}
