import { signal } from "@preact/signals";
import type { WebEvent } from "../../api/events.ts";
import { readEvents } from "./event-source.ts";
import { shareAmongTabs } from "./one-reader.ts";
import { distrustServer, provedServer } from "./page-key.ts";

export type Connection = "connecting" | "open" | "lost" | "back";

/** How the event stream is. `back` for a moment after it was lost. */
export const connection = signal<Connection>("connecting");

const BACK_MS = 3000;
/** Only a server that is stuck takes longer, and then it answers nothing else either. */
const LISTENING_MS = 5000;

type Told =
  | { readonly id: string; readonly event: WebEvent }
  | { readonly connection: Exclude<Connection, "back"> };

const listeners = new Set<(event: WebEvent) => void>();
let lastId: string | undefined;

const { promise: isListening, resolve: nowListening } = Promise.withResolvers<void>();

/**
 * Resolves once events arrive, or cannot. Data that is loaded earlier would not change with what happens before the stream
 * is open: nobody would say that it is old.
 */
export const listening: Promise<void> = isListening;

/** Returns a function that unsubscribes. */
export function onEvent(listener: (event: WebEvent) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Called once, at the start of the page. */
export function followEvents(): void {
  setTimeout(nowListening, LISTENING_MS);
  addEventListener("pageshow", ({ persisted }) => void (persisted && showAgain()));
  const tabs = shareAmongTabs<Told>({
    read(isFirst) {
      // Nobody knows what the tab before this one missed.
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
  // The tab that reads now may have got again what the one before had told.
  if (told.event.type !== "reset" && isOld(told.id)) return;
  lastId = told.id;
  hearEvent(told.event);
}

/** The browser shows a page again that was left: the server may be another one by now, and what was missed is unknown. */
async function showAgain(): Promise<void> {
  distrustServer();
  if (await provedServer()) hearEvent({ type: "reset" });
}

/** Soon enough for a person who waits, and no storm if the server is stuck. */
const ASK_AGAIN_MS = 2000;
let asksAgain = false;

/**
 * A request of this tab got no answer. The event stream need not have broken: it is perhaps another tab's, or the server
 * proved itself late while this page was loaded. So views load again by themselves, as after a gap.
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

/** Every tab asks for the proof itself: what another one tells may come from a page that somebody else put there. */
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

/** Ids are `RUN-N`: the run of the server and a number that grows. */
function isOld(id: string): boolean {
  const [run, at] = id.split("-");
  const [lastRun, lastAt] = lastId?.split("-") ?? [];
  return run === lastRun && Number(at) <= Number(lastAt);
}

function hearEvent(event: WebEvent): void {
  for (const listener of [...listeners]) listener(event);
}
