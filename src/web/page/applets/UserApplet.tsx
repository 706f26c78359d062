import { useEffect, useRef, useState } from "preact/hooks";
import type { CardView } from "../../api/cards.ts";
import { sessionPath } from "../core/api.ts";
import { useGet } from "../core/resource.ts";
import { isDark } from "../core/theme.ts";
import { Button } from "../parts/Button.tsx";
import type { AppletProps } from "./applet.ts";
import { frameMessage, MAX_PARAMETERS, messageLimit, type StateMessage } from "./protocol.ts";

/**
 * An applet from the user's applets folder, in a frame without an origin: it cannot reach this page, its cookie, its
 * storage or the network. It receives its parameters, the theme and its own session's sets, and may change its
 * parameters.
 */
export function UserApplet(props: AppletProps & { readonly title: string; readonly frame: string }) {
  const { title, frame, session, parameters, set } = props;
  const element = useRef<HTMLIFrameElement>(null);
  const [round, setRound] = useState(0);
  const [isStopped, setStopped] = useState(false);
  const [isReady, setReady] = useState(false);
  const context = useSets(session);
  const latest = useRef({ parameters, set });
  latest.current = { parameters, set };

  useEffect(() => {
    const limit = messageLimit();
    setReady(false);
    const listen = (event: MessageEvent) => {
      // Messages from this frame only. Its origin is "null", like that of every frame without one.
      if (event.source === null || event.source !== element.current?.contentWindow) return;
      const verdict = limit.next(performance.now());
      if (verdict === "stop") setStopped(true);
      if (verdict !== "take") return;
      const message = frameMessage(event.data);
      if (message?.type === "ready") setReady(true);
      if (message?.type === "set-parameters") {
        const after = { ...latest.current.parameters, ...message.parameters };
        if (Object.values(after).filter((value) => value !== "").length <= MAX_PARAMETERS)
          latest.current.set(message.parameters);
      }
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, [frame, round]);

  const state = JSON.stringify({
    parameters,
    theme: isDark.value ? "dark" : "light",
    session: session === undefined ? null : { host: session.host, id: session.id },
    context,
  });
  useEffect(() => {
    if (!isReady) return;
    const message: StateMessage = { continuo: 1, type: "state", ...JSON.parse(state) };
    // A frame without an origin cannot be addressed by origin; this page's policy limits what may be in it.
    element.current?.contentWindow?.postMessage(message, "*");
  }, [isReady, state, round]);

  if (isStopped)
    return (
      <div class="state state-failed" role="alert">
        <p class="state-title">This applet sent too many messages and was stopped</p>
        <Button
          onClick={() => {
            setStopped(false);
            setRound(round + 1);
          }}
        >
          Start it again
        </Button>
      </div>
    );
  return (
    <iframe
      key={round}
      ref={element}
      class="applet-frame box grow full surface"
      title={title}
      sandbox="allow-scripts"
      allow=""
      referrerpolicy="no-referrer"
      src={frame}
    />
  );
}

/** The sets of the applet's own session, from its card. */
function useSets(session: AppletProps["session"]): Readonly<Record<string, readonly string[]>> {
  const key = session === undefined ? "" : `${session.host}/${session.id}`;
  const { data } = useGet<CardView>(
    session && sessionPath(session.host, session.id, "/card"),
    {},
    (event) => event.type === "context" && `${event.session.host}/${event.session.id}` === key,
  );
  if (data === undefined) return {};
  return {
    files: data.files.map(({ path }) => path),
    endpoints: data.endpoints.map(({ item }) => item),
    ports: data.ports.map(({ port }) => String(port)),
    ...Object.fromEntries(data.others.map(({ name, items }) => [name, items])),
  };
}
