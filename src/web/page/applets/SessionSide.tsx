import { useLocation } from "preact-iso";
import { Card } from "../card/Card.tsx";
import { appletOf } from "../core/applet-address.ts";
import { AppletPanel } from "./AppletPanel.tsx";
import { OpenMenu } from "./OpenMenu.tsx";

/** A session's side panel: its context card, and the applet in the address. */
export function SessionSide({ host, id }: { host: string; id: string }) {
  const hasApplet = appletOf(useLocation().query) !== undefined;
  return (
    <div class="session-side stack gap-3">
      <OpenMenu session={{ host, id }} />
      <Card key={String(hasApplet)} host={host} id={id} isLine={hasApplet} />
      <AppletPanel session={{ host, id }} />
    </div>
  );
}
