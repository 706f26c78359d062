import type { CardView } from "../../api/cards.ts";
import { attempt } from "../core/action.ts";
import { api, sessionPath } from "../core/api.ts";
import { notify } from "../core/notices.ts";

interface Session {
  readonly host: string;
  readonly id: string;
}

/** The items of a set as the card shows them. */
export function itemsIn(card: CardView, set: string): readonly string[] {
  if (set === "files") return card.files.map(({ path }) => path);
  if (set === "ports") return card.ports.map(({ port }) => String(port));
  if (set === "endpoints") return card.endpoints.map(({ item }) => item);
  if (set === "applet") {
    const { slug, parameters } = card.applet ?? {};
    if (slug === undefined) return [];
    return [slug, ...Object.entries(parameters ?? {}).map(([name, value]) => `${name}=${value}`)];
  }
  return card.others.find(({ name }) => name === set)?.items ?? [];
}

/** Adds an item to a set, as the agent's tool does. Returns whether it was accepted. */
export async function addItem(session: Session, card: CardView, set: string, item: string): Promise<boolean> {
  const before = itemsIn(card, set);
  const added = await attempt("Not added", async () => {
    const { evicted = [] } = await patch(session, { unionContext: { setName: set, items: [item] } });
    const dropped = evicted.length === 0 ? "" : `; the set was full, so ${evicted.join(", ")} went`;
    const absent = set === "files" && (await hasNewGap(session, before)) ? ", but there is no such file" : "";
    const done = set === "files" ? `Pinned ${nameOf(item)}` : `Added ${nameOf(item)} to ${set}`;
    notify(`${done}${absent}${dropped}`, { undo: () => void putBack(session, set, before) });
    return true;
  });
  return added === true;
}

export async function removeItem(session: Session, card: CardView, set: string, item: string): Promise<void> {
  const before = itemsIn(card, set);
  // An applet's parameters are useless without the applet.
  const after = set === "applet" ? [] : before.filter((one) => one !== item);
  await attempt("Not removed", async () => {
    await patch(session, { setContext: { setName: set, items: after } });
    const done = set === "files" ? `Unpinned ${nameOf(item)}` : `Removed ${nameOf(item)} from ${set}`;
    notify(done, { undo: () => void putBack(session, set, before) });
  });
}

/** The last part of a path; other items unchanged. */
export function nameOf(item: string): string {
  const last = /^(?:\/|~|[A-Za-z]:[\\/]).*?([^\\/]+)[\\/]*$/.exec(item)?.[1] ?? item;
  return last.length > 80 ? `${last.slice(0, 80)}…` : last;
}

/** Whether a newly added file does not exist. */
async function hasNewGap({ host, id }: Session, before: readonly string[]): Promise<boolean> {
  const { files } = await api.get<CardView>(sessionPath(host, id, "/card"));
  return files.some(({ path, state }) => state === "gone" && !before.includes(path));
}

async function putBack(session: Session, set: string, items: readonly string[]): Promise<void> {
  await attempt("Not undone", () => patch(session, { setContext: { setName: set, items } }));
}

function patch({ host, id }: Session, body: unknown): Promise<{ evicted?: readonly string[] }> {
  return api.patch(sessionPath(host, id), body);
}
