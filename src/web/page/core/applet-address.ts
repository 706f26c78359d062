import { useLocation } from "preact-iso";
import { addressOf, sessionAddress } from "./address.ts";

interface SessionOfAddress {
  /** Absent if the address contains only the id. */
  readonly host?: string;
  readonly id: string;
}

/** The applet in an address: `/?session=HOST/ID&applet=SLUG&key=value`. */
export interface AppletOfAddress {
  readonly slug: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters of the page itself, which applets can neither see nor set. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(["session", "applet", "tab", "turn"]);

export function appletOf(query: Readonly<Record<string, string>>): AppletOfAddress | undefined {
  const slug = query["applet"] ?? "";
  if (slug === "") return undefined;
  const parameters = Object.entries(query).filter(([name]) => !OF_THE_PAGE.has(name));
  return { slug, parameters: Object.fromEntries(parameters) };
}

export function sessionOf(text: string): SessionOfAddress {
  const [, host, id] = /^([a-z][a-z0-9-]*)\/(.+)$/s.exec(text) ?? [];
  return host === undefined || id === undefined ? { id: text } : { host, id };
}

/** The session that an address shows. */
export function sessionShown(place: {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}): SessionOfAddress | undefined {
  const [, host, id] = /^\/sessions\/([^/]+)\/([^/]+)$/.exec(place.path) ?? [];
  if (host !== undefined && id !== undefined)
    return { host: decodeURIComponent(host), id: decodeURIComponent(id) };
  const named = place.path === "/" ? (place.query["session"] ?? "") : "";
  return named === "" ? undefined : sessionOf(named);
}

/** The address of an applet beside a session. */
export function appletAddress(
  session: { host: string; id: string } | undefined,
  slug: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  return addressOf("/", {
    session: session === undefined ? undefined : `${session.host}/${session.id}`,
    applet: slug,
    ...ownOf(parameters),
  });
}

/** The current address without its applet, or with another one. */
export function withApplet(
  place: { readonly path: string; readonly query: Readonly<Record<string, string>> },
  applet?: AppletOfAddress,
): string {
  const page = Object.entries(place.query).filter(([name]) => OF_THE_PAGE.has(name) && name !== "applet");
  return addressOf(place.path, {
    ...Object.fromEntries(page),
    ...(applet && { applet: applet.slug, ...ownOf(applet.parameters) }),
  });
}

/** Returns a function for addresses of applets. On the session's own page they keep the page and its position. */
export function useAppletAddress(
  session: { readonly host: string; readonly id: string } | undefined,
): (slug: string, parameters?: Readonly<Record<string, string>>) => string {
  const { path, query } = useLocation();
  const isHere = session !== undefined && path === sessionAddress(session.host, session.id);
  return (slug, parameters = {}) =>
    isHere ? withApplet({ path, query }, { slug, parameters }) : appletAddress(session, slug, parameters);
}

function ownOf(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !OF_THE_PAGE.has(name)));
}

/** A set has at most ten items, and the first one is the applet's name. */
const MAX_PARAMETERS = 9;
const MAX_ITEM = 4096;

/** The applet's state as items of the set `applet`, and the names of parameters that do not fit into the set. */
export function stateItems({ slug, parameters }: AppletOfAddress): {
  readonly items: readonly string[];
  readonly left: readonly string[];
} {
  const fitting: string[] = [];
  const left: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const item = `${name}=${value}`;
    const fits =
      fitting.length < MAX_PARAMETERS &&
      item.length <= MAX_ITEM &&
      /^[^\s=]+$/.test(name) &&
      !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(item) &&
      item.isWellFormed();
    if (fits) fitting.push(item);
    else left.push(name);
  }
  return { items: [slug, ...fitting], left };
}
