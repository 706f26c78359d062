import { signal } from "@preact/signals";
import type { WebEvent } from "../../api/events.ts";
import { readEvents } from "./event-source.ts";
import { shareAmongTabs } from "./one-reader.ts";
import { distrustServer, provedServer } from "./page-key.ts";

export type Connection = "connecting" | "open" | "lost" | "back";

/** The state of the event stream. `back` for a moment after it was lost and restored. */
export const connection = signal<Connection>("connecting");

const BACK_MS = 3000;
/** Only a server that hangs takes longer, and then it answers nothing else either. */
const LISTENING_MS = 5000;

type Told =
  | { readonly id: string; readonly event: WebEvent }
  | { readonly connection: Exclude<Connection, "back"> };

const listeners = new Set<(event: WebEvent) => void>();
let lastId: string | undefined;

const { promise: isListening, resolve: nowListening } = Promise.withResolvers<void>();

/**
 * Resolves once the event stream is open, or cannot be opened. Data loaded before that could become outdated unnoticed.
 */
export const listening: Promise<void> = isListening;

/** Returns a function that unsubscribes. */
export function onEvent(listener: (event: WebEvent) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Called once, when the page starts. */
export function followEvents(): void {
  setTimeout(nowListening, LISTENING_MS);
  addEventListener("pageshow", ({ persisted }) => void (persisted && showAgain()));
  const tabs = shareAmongTabs<Told>({
    read(isFirst) {
      // It is unknown what the previous reading tab missed.
      let isGap = !isFirst && lastId === undefined;
      return readEvents({
        lastId: () => lastId,
        onOpen() {
          nowListening();
          both({ connection: "open" });
          if (isGap) hearEvent({ type: "reset" });
          isGap = false;
        },
        onLost() {
          nowListening();
          both({ connection: "lost" });
        },
        onMessage: (id, data) => both({ id, event: JSON.parse(data) as WebEvent }),
      });
    },
    hear,
    joined: nowListening,
    greet() {
      const { value } = connection;
      tabs.tell({ connection: value === "back" ? "open" : value });
    },
  });
  const both = (told: Told): void => {
    hear(told);
    tabs.tell(told);
  };
}

function hear(told: Told): void {
  if ("connection" in told) {
    void hearConnection(told.connection);
    return;
  }
  // The tab that reads now may have received again what the previous one already passed on.
  if (told.event.type !== "reset" && isOld(told.id)) return;
  lastId = told.id;
  hearEvent(told.event);
}

/**
 * The browser shows this page again after it was left: the server may be another one by now, and missed events are
 * unknown.
 */
async function showAgain(): Promise<void> {
  distrustServer();
  if (await provedServer()) hearEvent({ type: "reset" });
}

/** Soon enough for a waiting user, and not too often if the server hangs. */
const ASK_AGAIN_MS = 2000;
let asksAgain = false;

/**
 * A request of this tab got no answer. The event stream may still be open: it may be another tab's, or the server
 * proved itself late while this page was loading. So views reload by themselves, as after a gap.
 */
export function missedAnswer(): void {
  if (asksAgain) return;
  asksAgain = true;
  setTimeout(async () => {
    asksAgain = false;
    if (await provedServer()) hearEvent({ type: "reset" });
  }, ASK_AGAIN_MS);
}

let lastTold: Connection = "connecting";

/** Every tab asks for the proof itself, because another tab's message may come from a page that someone else served. */
async function hearConnection(now: Exclude<Connection, "back">): Promise<void> {
  lastTold = now;
  if (now === "lost") distrustServer();
  const isProved = now !== "open" || (await provedServer());
  if (isProved && lastTold === now) setConnection(now);
}

function setConnection(now: Exclude<Connection, "back">): void {
  if (now === "open" && connection.value === "back") return;
  if (now !== "open" || connection.value !== "lost") {
    connection.value = now;
    return;
  }
  connection.value = "back";
  hearEvent({ type: "reset" });
  setTimeout(() => {
    if (connection.value === "back") connection.value = "open";
  }, BACK_MS);
}

/** Ids are `RUN-N`: the server's run and an increasing number. */
function isOld(id: string): boolean {
  const [run, at] = id.split("-");
  const [lastRun, lastAt] = lastId?.split("-") ?? [];
  return run === lastRun && Number(at) <= Number(lastAt);
}

function hearEvent(event: WebEvent): void {
  for (const listener of [...listeners]) listener(event);
}
