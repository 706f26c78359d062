import { signal } from "@preact/signals";
import type { SessionRow } from "../../api/sessions.ts";
import { api, sessionPath } from "../core/api.ts";
import { notify, notifyFailure } from "../core/notices.ts";

/** Names that were given in this page, shown before the server has stored them. */
export const newNames = signal<ReadonlyMap<string, string>>(new Map());

export function keyOf({ host, id }: { readonly host: string; readonly id: string }): string {
  return `${host}\n${id}`;
}

/** Names a session; an empty name restores the host's. Can be undone. */
export async function rename(session: SessionRow, name: string): Promise<void> {
  const wanted = name.trim();
  if (wanted === session.name) return;
  const before = session.namedBy === "given" ? session.name : "";
  const now = await send(session, wanted);
  if (now === undefined) return;
  notify(wanted === "" ? `Its name is "${now}" again` : `Renamed to "${now}"`, {
    undo: () => void send(session, before),
  });
}

async function send(session: SessionRow, name: string): Promise<string | undefined> {
  const key = keyOf(session);
  if (name !== "") newNames.value = new Map(newNames.value).set(key, name);
  try {
    const answer = await api.patch<{ name: string }>(sessionPath(session.host, session.id), { name });
    return answer.name;
  } catch (error) {
    notifyFailure("Could not rename the session", error);
    return undefined;
  } finally {
    // The event about the change reloads the list.
    const rest = new Map(newNames.value);
    rest.delete(key);
    newNames.value = rest;
  }
}
