import { useEffect, useRef } from "preact/hooks";
import { lastLook } from "../card/looks.ts";
import { api, sessionPath } from "../core/api.ts";
import { type AppletOfAddress, appletOf, stateItems } from "../core/applet-address.ts";
import { onEvent } from "../core/events.ts";
import { notify } from "../core/notices.ts";
import { personsWork } from "./persons-work.ts";

interface Session {
  readonly host: string;
  readonly id: string;
}

/** What was sent last, by session: the same state is not sent again. */
const sent = new Map<string, string>();

/** The applet with which the page was loaded, by an address that anybody may have written. */
const loaded = appletOf(Object.fromEntries(new URLSearchParams(location.search)));
const work = personsWork(loaded && JSON.stringify(stateItems(loaded).items));
/** Keeps what is shown soon. */
let planned: (() => void) | undefined;
const acted = (event: MouseEvent | KeyboardEvent) => {
  work.acted(event.target instanceof Element ? event.target : undefined, event);
  planned?.(); // what nobody had worked in until now may have to be kept
};
document.addEventListener("pointerdown", acted, true);
document.addEventListener("keydown", acted, true);

/** An applet that stays open is kept at most this often. */
const EVERY_MS = 3000;

/**
 * Keeps the applet and its parameters as the session's set `applet`: a few seconds after it changed, when the session goes
 * idle, when the person leaves the page, and when another applet or session is shown. Each request names its session, so that a late
 * one changes only the session that it is about. What only an address says is not kept.
 */
export function useCapture(session: Session | undefined, applet: AppletOfAddress): void {
  const key = session === undefined ? "" : `${session.host}/${session.id}`;
  const shown = useRef({ session, applet });
  useEffect(() => {
    if (key === "") return;
    const keep = () => capture(shown.current);
    const stop = onEvent((event) => {
      // The state of a session changes with its moments, going idle among them. An unchanged applet is not sent again.
      if (event.type !== "session" || event.reason !== "state") return;
      if (`${event.session.host}/${event.session.id}` === key) keep();
    });
    const whenHidden = () => {
      if (document.visibilityState === "hidden") keep();
    };
    addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", whenHidden);
    return () => {
      stop();
      removeEventListener("pagehide", keep);
      document.removeEventListener("visibilitychange", whenHidden);
      keep();
    };
  }, [key, applet.slug]);
  // After the effect above, so that leaving a session keeps what was shown of it and not what is shown next.
  useEffect(() => {
    shown.current = { session, applet };
  });
  // Also while it stays open: a browser that ends without a word must not lose it.
  const state = JSON.stringify(applet);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    planned = () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        capture(shown.current);
      }, EVERY_MS);
    };
    planned();
  }, [key, state]);
  useEffect(
    () => () => {
      planned = undefined;
      clearTimeout(timer.current);
    },
    [],
  );
}

function capture({ session, applet }: { session: Session | undefined; applet: AppletOfAddress }): void {
  if (session === undefined) return;
  const { items, left } = stateItems(applet);
  const key = `${session.host}/${session.id}`;
  const text = JSON.stringify(items);
  if (sent.get(key) === text || lastLook(session) === text || !work.isTheirs(text)) return;
  sent.set(key, text);
  if (left.length > 0) notify(`Not kept with the session: ${left.join(", ").slice(0, 200)}`);
  api
    .patch(
      sessionPath(session.host, session.id),
      { setContext: { setName: "applet", items } },
      { keepalive: true },
    )
    .catch(() => sent.delete(key)); // advisory: the next time it is tried again
}
