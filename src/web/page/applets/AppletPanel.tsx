import { Maximize2, Minimize2, X } from "lucide";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { AppletList } from "../../api/applets.ts";
import { sessionAddress } from "../core/address.ts";
import { type AppletOfAddress, appletOf, withApplet } from "../core/applet-address.ts";
import { type Resource, useGet } from "../core/resource.ts";
import { Button } from "../parts/Button.tsx";
import { Empty, Loaded } from "../parts/States.tsx";
import { VIEWS } from "./built-in.tsx";
import { useCapture } from "./capture.ts";
import { UserApplet } from "./UserApplet.tsx";

interface Props {
  readonly session?: { readonly host: string; readonly id: string };
}

/** The applet in the address, in the side panel; nothing without one. */
export function AppletPanel({ session }: Props) {
  const { query } = useLocation();
  const applet = appletOf(query);
  return applet === undefined ? null : <Panel key={applet.slug} session={session} applet={applet} />;
}

function Panel({ session, applet }: { session: Props["session"]; applet: AppletOfAddress }) {
  const { path, query, route } = useLocation();
  const [isWide, setWide] = useState(() => wasWide(applet.slug));
  const list = useGet<AppletList>("/applets");
  useCapture(session, applet);
  const title = list.data?.applets.find(({ slug }) => slug === applet.slug)?.title ?? applet.slug;
  const place = { path, query };
  const set = (changes: Readonly<Record<string, string>>, { push = false } = {}) =>
    route(withApplet(place, { slug: applet.slug, parameters: { ...applet.parameters, ...changes } }), !push);
  const widen = () => {
    keepWide(applet.slug, !isWide);
    setWide(!isWide);
  };
  return (
    <section class={`applet stack gap-3 grow short ${isWide ? "applet-wide" : ""}`} aria-label={title}>
      <header class="applet-head row min-28">
        <h2 class="clip grow">{title}</h2>
        <Button
          kind="quiet"
          class="applet-widen"
          icon={isWide ? Minimize2 : Maximize2}
          aria-label={isWide ? "Make the panel narrow" : "Make the panel wide"}
          onClick={widen}
        />
        <Button
          kind="quiet"
          icon={X}
          aria-label={`Close ${title}`}
          onClick={() =>
            route(path === "/" && session ? sessionAddress(session.host, session.id) : withApplet(place))
          }
        />
      </header>
      <Body session={session} applet={applet} list={list} set={set} />
    </section>
  );
}

function Body(props: {
  session: Props["session"];
  applet: AppletOfAddress;
  list: Resource<AppletList>;
  set: (changes: Readonly<Record<string, string>>, options?: { push?: boolean }) => void;
}) {
  const { session, applet, list, set } = props;
  const View = Object.hasOwn(VIEWS, applet.slug) ? VIEWS[applet.slug] : undefined;
  if (View !== undefined) return <View session={session} parameters={applet.parameters} set={set} />;
  return (
    <Loaded resource={list}>
      {({ applets, folder }) => {
        const found = applets.find(({ slug }) => slug === applet.slug);
        if (found === undefined)
          return (
            <Empty title={`There is no applet ${applet.slug}`}>
              <p>Applets of your own are folders in {folder}. These are there now:</p>
              <ul class="applet-names stack gap-1">
                {applets.map((one) => (
                  <li key={one.slug}>
                    <code>{one.slug}</code> {one.title}
                  </li>
                ))}
              </ul>
            </Empty>
          );
        if (found.frame === undefined || found.problems.length > 0)
          return (
            <Empty title={`${found.title} cannot be shown`}>
              <ul class="applet-problems stack gap-1">
                {found.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
              <p>
                Its folder is {folder}/{found.slug}.
              </p>
            </Empty>
          );
        return (
          <UserApplet
            key={found.slug}
            title={found.title}
            frame={found.frame}
            session={session}
            parameters={applet.parameters}
            set={set}
          />
        );
      }}
    </Loaded>
  );
}

const WIDE = "continuo.wide-applets";

function wasWide(slug: string): boolean {
  try {
    return (localStorage.getItem(WIDE) ?? "").split(" ").includes(slug);
  } catch {
    return false; // no storage
  }
}

function keepWide(slug: string, isWide: boolean): void {
  try {
    const others = (localStorage.getItem(WIDE) ?? "").split(" ").filter((one) => one !== slug && one !== "");
    localStorage.setItem(WIDE, [...others, ...(isWide ? [slug] : [])].slice(-50).join(" "));
  } catch {
    // Without storage the choice lasts until the panel is closed.
  }
}
