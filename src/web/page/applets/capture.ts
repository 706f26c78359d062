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

/** What was last sent for each session, so that the same state is not sent again. */
const sent = new Map<string, string>();

/** The applet in the address with which the page was loaded, which anyone may have written. */
const loaded = appletOf(Object.fromEntries(new URLSearchParams(location.search)));
const work = personsWork(loaded && JSON.stringify(stateItems(loaded).items));
/** Saves the pending state now. */
let planned: (() => void) | undefined;
const acted = (event: MouseEvent | KeyboardEvent) => {
  work.acted(event.target instanceof Element ? event.target : undefined, event);
  planned?.(); // state from before the user's first action may be worth saving now
};
document.addEventListener("pointerdown", acted, true);
document.addEventListener("keydown", acted, true);

/** An open applet is saved at most this often. */
const EVERY_MS = 3000;

/**
 * Saves the applet and its parameters as the session's set `applet`: a few seconds after a change, when the session
 * goes idle, when the user leaves the page, and when another applet or session is shown. Each request names its
 * session, so that a late one changes only that session. State that comes only from an address is not saved.
 */
export function useCapture(session: Session | undefined, applet: AppletOfAddress): void {
  const key = session === undefined ? "" : `${session.host}/${session.id}`;
  const shown = useRef({ session, applet });
  useEffect(() => {
    if (key === "") return;
    const keep = () => capture(shown.current);
    const stop = onEvent((event) => {
      // A session's state changes with its moments, such as going idle. An unchanged applet is not sent again.
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
  // After the effect above, so that leaving a session saves what it showed and not what is shown next.
  useEffect(() => {
    shown.current = { session, applet };
  });
  // Also while it stays open: nothing must be lost if the browser ends without warning.
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
    .catch(() => sent.delete(key)); // optional: tried again next time
}
