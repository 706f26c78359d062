import { useLocation } from "preact-iso";
import lazy from "preact-iso/lazy";
import { AppletPanel } from "./applets/AppletPanel.tsx";
import { appletOf, sessionOf } from "./core/applet-address.ts";
import { loadPart } from "./core/page-key.ts";
import { useGet } from "./core/resource.ts";
import { Page } from "./parts/Page.tsx";
import { Loaded } from "./parts/States.tsx";

const SessionPage = lazy(() =>
  loadPart(() => import("./session/SessionPlace.tsx")).then((code) => code.SessionPage),
);
const HomePlace = lazy(() => loadPart(() => import("./home/HomePlace.tsx")));

/** `/`: the home page, or the session and the applet in the address. */
export default function RootPlace() {
  const { query } = useLocation();
  const { session: named } = query;
  if (named !== undefined && named !== "") return <NamedSession named={named} />;
  return appletOf(query) === undefined ? <HomePlace /> : <LoneApplet />;
}

function NamedSession({ named }: { named: string }) {
  const { host, id } = sessionOf(named);
  return host === undefined ? <ById id={id} /> : <SessionPage key={named} host={host} id={id} />;
}

/** An address may contain only a session's id. */
function ById({ id }: { id: string }) {
  const found = useGet<{ host: string; sessionId: string }>(`/sessions/${encodeURIComponent(id)}`);
  if (found.data !== undefined) return <SessionPage host={found.data.host} id={found.data.sessionId} />;
  return (
    <Page title="Session">
      <Loaded resource={found}>{() => null}</Loaded>
    </Page>
  );
}

function LoneApplet() {
  return (
    <Page title="Applet" width="full">
      <AppletPanel />
    </Page>
  );
}
