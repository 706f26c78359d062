import { join } from "node:path";
import { appendLedger } from "../../moments/state/ledger.ts";
import type { MetaFile } from "../../moments/state/session-meta.ts";
import { MAX_STATE_BYTES, type SessionState } from "../../moments/state/session-state.ts";
import type { Session } from "../../moments/types.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { readText } from "../../store/read-file.ts";
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

/** Changes one set in the metadata file, and publishes an event if anything changed. */
export async function changeStored(
  file: MetaFile,
  session: Pick<Session, "host" | "id">,
  request: ChangeRequest,
  place: Place & { readonly at: number },
): Promise<Change> {
  let before: Context = {};
  let change: Change | undefined;
  await file.update((meta) => {
    before = meta.context ?? {};
    change = changeContext(before, request, place);
    return { context: change.context };
  });
  if (change === undefined) throw new Error("the metadata was updated without asking for the change");
  const event = changedEvent(session, before, change.context, place.at);
  if (event !== undefined) publish(event);
  return change;
}

/**
 * Writes every change of a context in this process to the ledger, until the returned function is called. Used by programs
 * in which people and agents change sets: the command line, a tool server, the page.
 */
export function keepEvents(home: Home): () => void {
  return subscribe((event) => {
    const { host, id } = event.session;
    const state = stateOf(home, event);
    appendLedger(home, event.at, {
      kind: "context",
      host,
      session: id,
      project: state?.project.id ?? "",
      epoch: state?.epoch ?? 0,
      ...ledgerFields(event),
    });
  });
}

/** What the ledger records of an event: what was added and removed, not the whole context. */
export function ledgerFields(event: Pick<ContextEvent, "reason" | "setName" | "added" | "removed">) {
  const { reason, setName, added, removed } = event;
  return { reason, setName, added, removed };
}

function stateOf(home: Home, { session }: ContextEvent): SessionState | undefined {
  try {
    return JSON.parse(
      readText(join(home.state, session.host, `${fileNameFor(session.id)}.json`), {
        maxBytes: MAX_STATE_BYTES,
      }),
    );
  } catch {
    return undefined; // the session has only metadata, such as one of Caco's
  }
}
