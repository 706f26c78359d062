import { orUndefinedAfter } from "../../base/deadline.ts";
import { isRecord } from "../../base/settings.ts";
import { type SessionState, stateFile } from "../../moments/state/session-state.ts";
import type { Session } from "../../moments/types.ts";
import { homeForHost } from "../../store/home.ts";
import type { Client, Message } from "./api.ts";
import type { Frozen } from "./threads.ts";

/** The host answers in a few milliseconds, or is too busy for us. */
const DEADLINE_MS = 500;

/** What the host says about a session; undefined when it did not. The parent is null when there is none. */
export async function askSession(
  client: Client,
  id: string,
): Promise<{ parent: string | null; createdAt: number | undefined } | undefined> {
  const info = await soon(client.session.get({ path: { id } }));
  return isRecord(info) ? sessionFrom(info) : undefined;
}

export function sessionFrom(info: Readonly<Record<string, unknown>>) {
  const created = isRecord(info["time"]) ? info["time"]["created"] : undefined;
  return {
    parent: typeof info["parentID"] === "string" ? info["parentID"] : null,
    createdAt: typeof created === "number" ? created : undefined,
  };
}

/** The session's newest messages, oldest first, without the one that is about to be stored; undefined as above. */
export async function askMessages(
  client: Client,
  id: string,
  limit?: number,
): Promise<Message[] | undefined> {
  const query = limit === undefined ? {} : { query: { limit } };
  const messages = await soon(client.session.messages({ path: { id }, ...query }));
  return Array.isArray(messages) ? messages.filter(isMessage) : undefined;
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && isRecord(value["info"]) && Array.isArray(value["parts"]);
}

/** What is kept about the session, as every process finds it. */
export function storedState(
  env: NodeJS.ProcessEnv,
  session: Session,
  onDamaged: (path: string, movedTo: string) => void,
): SessionState | undefined {
  return stateFile(homeForHost(env).home, session, { lockWaitMs: 0, onDamaged }).read();
}

/** The frozen bytes of its epoch; undefined when there are none. */
export function frozenIn(state: SessionState | undefined): Frozen | undefined {
  const snapshot = state?.snapshot;
  return snapshot ? { text: snapshot.text, at: Date.parse(snapshot.at) } : undefined;
}

/** Its answer, or undefined when it takes too long. */
export async function soon(
  answer: Promise<{ data?: unknown }>,
  deadlineMs: number = DEADLINE_MS,
): Promise<unknown> {
  return (await orUndefinedAfter(deadlineMs, answer))?.data;
}
