import { connect } from "node:net";
import { ContinuoError } from "../../../base/errors.ts";
import { stateOfSession } from "../../../moments/state/choose-session.ts";
import { folderOfUser, metaFile, type SessionKey } from "../../../moments/state/session-meta.ts";
import { isAppletParameter, itemsOf, KNOWN_SETS } from "../../../sources/sets/sets.ts";
import type { CardApplet, CardEndpoint, CardPort, CardView } from "../../api/cards.ts";
import { listApplets } from "../applets/list.ts";
import { byFolder, type ShownWatches } from "../follow/watch-shown.ts";
import { hasBegunHere } from "../sessions/began-here.ts";
import type { Web } from "../web.ts";
import { cardFiles } from "./card-files.ts";

/** More than a set may have, but another program can write any number. */
const MAX_ITEMS = 50;
const LOCK_WAIT_MS = 5_000;

export async function cardOf(web: Web, session: SessionKey, watches: ShownWatches): Promise<CardView> {
  const state = stateOfSession(web.home, session);
  const file = metaFile(web.home, folderOfUser(web.env), session, { lockWaitMs: LOCK_WAIT_MS });
  const meta = file.read();
  const isKnown = state !== undefined || meta !== undefined || hasBegunHere(web, session);
  if (!isKnown && (await web.sessions()).get(session) === undefined)
    throw new ContinuoError("no-such-session", "nothing is known of this session");
  const context = meta?.context ?? {};
  const set = (name: string) => itemsOf(context, name).slice(0, MAX_ITEMS);
  const applet = appletOf(web, set("applet"));
  const [{ files, used }, ports] = await Promise.all([
    cardFiles(web, set("files"), state, (paths) =>
      watches.follow(`${session.host}/${session.id}`, byFolder(paths), {
        type: "context",
        session: { host: session.host, id: session.id },
        reason: "changed",
        setName: "files",
      }),
    ),
    lookAtPorts(set("ports")),
  ]);
  return {
    session: { host: session.host, id: session.id },
    ...(state === undefined ? {} : { root: state.project.root }),
    files,
    used,
    applet,
    endpoints: set("endpoints").map(endpointOf),
    ports,
    others: Object.keys(context)
      .filter((name) => !KNOWN_SETS.some((known) => known === name))
      .slice(0, MAX_ITEMS)
      .map((name) => ({ name, items: set(name) })),
  };
}

function appletOf(web: Web, items: readonly string[]): CardApplet | undefined {
  const [slug, ...rest] = items;
  if (slug === undefined) return undefined;
  const found = listApplets(web).applets.find((one) => one.slug === slug);
  return {
    slug,
    title: found?.title ?? slug,
    isThere: found !== undefined && found.problems.length === 0,
    parameters: Object.fromEntries(
      rest
        .filter(isAppletParameter)
        .map((item) => [item.slice(0, item.indexOf("=")), item.slice(item.indexOf("=") + 1)]),
    ),
  };
}

/** An item is a URL. Other programs put a method before it. */
function endpointOf(item: string): CardEndpoint {
  const [, method, url] = /^([A-Z]{3,10})\s+(\S.*)$/.exec(item) ?? [];
  if (method !== undefined && url !== undefined) return { item, method, url };
  const protocol = /^([a-z]+):/i.exec(item)?.[1] ?? "URL";
  return { item, method: protocol.toUpperCase(), url: item };
}

/** A server on this machine answers within a millisecond; do not wait longer for others. */
const LIMIT_MS = 200;
/** Development servers listen on either address. Other machines are never contacted. */
const ADDRESSES = ["127.0.0.1", "::1"];

async function lookAtPorts(items: readonly string[]): Promise<CardPort[]> {
  const ports = items.map(Number).filter((port) => Number.isInteger(port) && port > 0 && port < 65_536);
  return Promise.all(
    ports.map(async (port) => {
      const found = await Promise.all(ADDRESSES.map((address) => isOpen(address, port)));
      return { port, isOpen: found.includes(true) };
    }),
  );
}

/** Connects and closes at once, without sending anything. */
function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(LIMIT_MS, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
