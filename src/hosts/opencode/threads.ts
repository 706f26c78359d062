import type { LastRequest } from "../../moments/types.ts";

/** The bytes of an epoch, and when it began. */
export interface Frozen {
  readonly text: string;
  readonly at: number;
}

/** What is known in this process about one session. All of it can be lost: what matters is on disk. */
export interface Thread {
  readonly id: string;
  /** null: it has none; undefined: not known yet. */
  parent: string | null | undefined;
  /** When the host created it: a message that is older was copied from the session that this one is a fork of. */
  createdAt: number | undefined;
  /** The host was asked for the session since the last prompt. */
  asked: boolean;
  model: string | undefined;
  agent: string | undefined;
  /** The frozen text of this epoch, possibly empty; undefined until it was composed. */
  snapshot: Frozen | undefined;
  /** What the person asked for last. */
  request: LastRequest | undefined;
  /** The epoch, by when it began, whose snapshot stands in a message of its own. */
  standsAlone: number | undefined;
  /** The epoch whose snapshot the system prompt has said: it goes on doing so, or the prompt cache would be lost. */
  isSaid: number | undefined;
  /** Beginning was tried at this process's first prompt, whatever came of it. */
  tried: boolean;
  /** When the host last began to compact. */
  compactingAt: number;
  /** The summariser is at work: requests are its own until it has answered. */
  isSummarising: boolean;
  isAutomatic: boolean;
  /** What it wrote, until the new epoch has begun. */
  summary: string;
  /** The summary for which an epoch was begun because nobody else had; tried once. */
  caughtUpWith: string | undefined;
  /** A new epoch is being begun: requests wait for it. */
  turning: Promise<void> | undefined;
  /** Additions that a tool's output could not take; they go with the next prompt. */
  held: string[];
  /** What guards say about calls that are under way, by call. */
  warnings: Map<string, string>;
}

/** More sessions than anybody has open; one that is forgotten is read from disk again. */
const MOST = 500;

export interface Threads {
  /** The session's thread, a new one if need be. */
  of(id: string): Thread;
  known(id: string): Thread | undefined;
  forget(id: string): void;
}

export function createThreads(most = MOST): Threads {
  const threads = new Map<string, Thread>();
  return {
    of(id) {
      const thread = threads.get(id) ?? newThread(id);
      threads.delete(id); // so that it is put at the end: the first is the one not used for longest
      threads.set(id, thread);
      const [oldest] = threads.keys();
      if (threads.size > most && oldest !== undefined) threads.delete(oldest);
      return thread;
    },
    known: (id) => threads.get(id),
    forget: (id) => void threads.delete(id),
  };
}

/** Was the last request answered? Text is the answer until a tool call follows it. */
export function setAnswered(thread: Thread, answered: boolean): void {
  if (thread.request !== undefined) thread.request = { ...thread.request, answered };
}

function newThread(id: string): Thread {
  return {
    id,
    parent: undefined,
    createdAt: undefined,
    asked: false,
    model: undefined,
    agent: undefined,
    snapshot: undefined,
    request: undefined,
    standsAlone: undefined,
    isSaid: undefined,
    tried: false,
    compactingAt: 0,
    isSummarising: false,
    isAutomatic: false,
    summary: "",
    caughtUpWith: undefined,
    turning: undefined,
    held: [],
    warnings: new Map(),
  };
}
