import type { Session } from "../../moments/types.ts";
import { findHome } from "../../store/home.ts";
import { stateFile } from "../../store/session-state.ts";
import { isRecord } from "../../store/settings.ts";
import type { Client } from "./api.ts";
import type { Frozen } from "./threads.ts";

/** The host answers in a few milliseconds, or is too busy for us. */
const DEADLINE_MS = 500;

/** The session's parent, null when it has none, undefined when the host did not say. */
export async function askParent(client: Client, id: string): Promise<string | null | undefined> {
  const info = await soon(client.session.get({ path: { id } }));
  if (!isRecord(info)) return undefined;
  return typeof info["parentID"] === "string" ? info["parentID"] : null;
}

/** Were there messages before this one? It is stored only after we have seen it. */
export async function askHistory(client: Client, id: string): Promise<boolean> {
  const messages = await soon(client.session.messages({ path: { id }, query: { limit: 1 } }));
  return Array.isArray(messages) && messages.length > 0;
}

/** The frozen bytes of the session's epoch as every process finds them; undefined when there are none. */
export function storedSnapshot(
  env: NodeJS.ProcessEnv,
  session: Session,
  onDamaged: (path: string, movedTo: string) => void,
): Frozen | undefined {
  const snapshot = stateFile(findHome(env), session, { lockWaitMs: 0, onDamaged }).read()?.snapshot;
  return snapshot ? { text: snapshot.text, at: Date.parse(snapshot.at) } : undefined;
}

async function soon(answer: Promise<{ data?: unknown }>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), DEADLINE_MS);
  });
  try {
    return (await Promise.race([answer, late]))?.data;
  } finally {
    clearTimeout(timer);
  }
}
