import { once } from "../../base/once.ts";
import { appendLedger } from "../../moments/state/ledger.ts";
import type { MetaFile, MetaPatch, SessionMeta } from "../../moments/state/session-meta.ts";
import { peekState } from "../../moments/state/session-state.ts";
import type { Session } from "../../moments/types.ts";
import type { Home } from "../../store/home.ts";
import { type Change, type ChangeRequest, changeContext } from "./change.ts";
import { type Context, itemsOf, type Place } from "./sets.ts";

/** A load or change of a session's context, for a page, a host or the ledger. */
export interface ContextEvent {
  readonly type: "context";
  readonly reason: "load" | "resume" | "changed";
  readonly session: Pick<Session, "host" | "id">;
  /** Absent if several sets changed at once, or the event is about all of them. */
  readonly setName?: string;
  readonly added: string[];
  readonly removed: string[];
  readonly context: Context;
  /** Milliseconds since 1970. */
  readonly at: number;
}

type Subscriber = (event: ContextEvent) => void | Promise<void>;

const subscribers = new Set<{ readonly notify: Subscriber }>();

/** Returns a function that unsubscribes. A function that subscribes twice is called twice. */
export function subscribe(notify: Subscriber): () => void {
  const entry = { notify };
  subscribers.add(entry);
  return () => {
    subscribers.delete(entry);
  };
}

/** Each subscriber gets its own copy, and a failing one does not affect the others. */
export function publish(event: ContextEvent, onFailure: (error: unknown) => void = () => undefined): void {
  for (const { notify } of [...subscribers]) {
    try {
      Promise.resolve(notify(structuredClone(event))).catch(onFailure);
    } catch (error) {
      onFailure(error);
    }
  }
}

/** The event in Caco's format. */
export function toCacoEvent(event: ContextEvent): {
  type: "caco.context";
  data: { reason: ContextEvent["reason"]; context: Context; setName?: string };
} {
  const { reason, context, setName } = event;
  return {
    type: "caco.context",
    data: { reason, context, setName },
  };
}

/** The event of a change; undefined if nothing changed. */
export function changedEvent(
  session: Pick<Session, "host" | "id">,
  before: Context,
  after: Context,
  at: number,
): ContextEvent | undefined {
  const added: string[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = itemsOf(before, name);
    const now = itemsOf(after, name);
    if (old.length === now.length && old.every((item, i) => item === now[i])) continue;
    changed.push(name);
    added.push(...now.filter((item) => !old.includes(item)));
    removed.push(...old.filter((item) => !now.includes(item)));
  }
  const [setName] = changed;
  if (setName === undefined) return undefined;
  const { host, id } = session;
  return {
    type: "context",
    reason: "changed",
    session: { host, id },
    ...(changed.length === 1 ? { setName } : {}),
    added,
    removed,
    context: after,
    at,
  };
}

/** The requested changes of a session's metadata. */
interface WantedChanges {
  /** Applied in order. */
  readonly requests: readonly ChangeRequest[];
  /** Further changes of the metadata, if no request is refused. */
  readonly patch?: MetaPatch;
  /** Whether the requests are complete, so that all other sets are emptied. */
  readonly isWhole?: boolean;
  /** Called under the file's lock before anything is changed. */
  readonly check?: (meta: SessionMeta) => void;
}

/** Changes sets in the metadata file in one update, and publishes an event if anything changed. */
export async function changeSets(
  file: MetaFile,
  session: Pick<Session, "host" | "id">,
  { requests, patch = {}, isWhole = false, check }: WantedChanges,
  place: Place & { readonly at: number },
): Promise<{ readonly meta: SessionMeta; readonly before: Context; readonly changes: readonly Change[] }> {
  let before: Context = {};
  let changes: readonly Change[] = [];
  const meta = await file.update((old) => {
    check?.(old);
    before = old.context ?? {};
    let context = isWhole ? {} : before;
    changes = requests.map((request) => {
      const change = changeContext(context, request, place);
      context = change.context;
      return change;
    });
    return isWhole || requests.length > 0 ? { ...patch, context } : patch;
  });
  const event = changedEvent(session, before, meta.context ?? {}, place.at);
  if (event !== undefined) publish(event);
  return { meta, before, changes };
}

/** Changes one set, like `changeSets`. */
export async function changeStored(
  file: MetaFile,
  session: Pick<Session, "host" | "id">,
  request: ChangeRequest,
  place: Place & { readonly at: number },
): Promise<Change> {
  const { changes } = await changeSets(file, session, { requests: [request] }, place);
  const [change] = changes;
  if (change === undefined) throw new Error("the metadata was updated without asking for the change");
  return change;
}

/** By the home's folder: the number of users, and how to stop. */
const keepers = new Map<string, { count: number; readonly stop: () => void }>();

/**
 * Writes every change of a context in this process to the ledger, once, until all returned functions are called. For
 * programs in which users and agents change sets: a tool server, the page, an action.
 */
export function keepEvents(home: Home): () => void {
  const keeper = keepers.get(home.root) ?? { count: 0, stop: subscribe((event) => record(home, event)) };
  keepers.set(home.root, keeper);
  keeper.count += 1;
  return once(() => {
    keeper.count -= 1;
    if (keeper.count > 0) return;
    keepers.delete(home.root);
    keeper.stop();
  });
}

function record(home: Home, event: ContextEvent): void {
  const { host, id } = event.session;
  const state = peekState(home, event.session);
  appendLedger(home, event.at, {
    kind: "context",
    host,
    session: id,
    project: state?.project.id ?? "",
    epoch: state?.epoch ?? 0,
    ...ledgerFields(event),
  });
}

/** What the ledger records of an event: the added and removed items, not the whole context. */
export function ledgerFields(event: Pick<ContextEvent, "reason" | "setName" | "added" | "removed">) {
  const { reason, setName, added, removed } = event;
  return { reason, setName, added, removed };
}
