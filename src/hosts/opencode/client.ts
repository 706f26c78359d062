import { orUndefinedAfter } from "../../base/deadline.ts";
import { isRecord } from "../../base/json.ts";
import type { RunParts } from "../../moments/run/run.ts";
import { pendingNote } from "../../store/health.ts";
import { findHome } from "../../store/home.ts";
import { recordFailure } from "../shared/follow.ts";
import type { Client, Message } from "./api.ts";

/** The host answers in a few milliseconds, or is too busy. */
const DEADLINE_MS = 500;

/** The host's data about a session; undefined if it does not answer. The parent is null if there is none. */
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

/**
 * The session's newest messages, oldest first, without the one that is about to be stored; undefined if the host does
 * not answer.
 */
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

/** The host's answer, or undefined if it takes too long. */
export async function soon(
  answer: Promise<{ data?: unknown }>,
  deadlineMs: number = DEADLINE_MS,
): Promise<unknown> {
  return (await orUndefinedAfter(deadlineMs, answer))?.data;
}

/** Shows lines in the TUI, without waiting for it. */
export function showLines(
  { client, env, now }: { readonly client: Pick<Client, "tui"> } & Pick<RunParts, "env" | "now">,
  lines: readonly string[],
  duration?: number,
): void {
  const body = { message: lines.join("\n"), variant: "info" as const };
  client.tui
    .showToast({ body: duration === undefined ? body : { ...body, duration } })
    .catch((error: unknown) => recordFailure(env, "opencode toast", error, now()));
}

/**
 * Shows in the TUI what the next snapshot would tell the model: that something failed unnoticed. Only once per process,
 * because what fails once often fails at every turn. Does not wait for it.
 */
export function createToast({
  client,
  env,
  now,
}: { readonly client: Pick<Client, "tui"> } & Pick<RunParts, "env" | "now">): () => void {
  let isShown = false;
  return () => {
    if (isShown) return;
    const show = async () => {
      const message = pendingNote(findHome(env));
      if (message === undefined) return;
      isShown = true;
      await client.tui.showToast({ body: { title: "Continuo", message, variant: "warning" } });
    };
    show().catch((error: unknown) => recordFailure(env, "opencode toast", error, now()));
  };
}
