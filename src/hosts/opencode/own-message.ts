import { ContinuoError } from "../../base/errors.ts";
import { loadConfig } from "../../store/config.ts";
import { homeForHost } from "../../store/home.ts";
import type { MessageInfo, OwnPrompt } from "./api.ts";
import { askMessages, soon } from "./client.ts";
import { hasSnapshot, ownMessageId } from "./messages.ts";
import type { AdaptedSession, AdapterOptions } from "./session-adapter.ts";
import { frozenIn } from "./session-state.ts";

/**
 * The host takes 25 ms, but seconds in a process that just started on a busy machine. Waiting longer is useless: a
 * message that arrives after the turn has begun is in the wrong place, and may be answered.
 */
const DEADLINE_MS = 10_000;

/** For `injection: "noReply"`: the frozen snapshot as a message of its own, which the host stores. */
export interface OwnMessage {
  isWanted(): boolean;
  /**
   * Stores the snapshot as a message, unless it is already stored or in the system prompt. Call it only while the host
   * waits for the hook and has not stored the user's newest message yet; later, the host would answer this message.
   * `like`: a message with the session's agent and model. `next`: the user's message, if the host has created it
   * already.
   */
  put(session: AdaptedSession, like: MessageInfo, next?: MessageInfo): Promise<void>;
}

export function wantsOwnMessage({ env, sources }: Pick<AdapterOptions, "env" | "sources">): boolean {
  const { config } = loadConfig(homeForHost(env).home.config, sources, env);
  return config.hosts.opencode.injection === "noReply";
}

export function createOwnMessage({ client, env, now, sources }: AdapterOptions): OwnMessage {
  const isWanted = () => wantsOwnMessage({ env, sources });

  return {
    isWanted,
    async put(session, like, next) {
      const snapshot = frozenIn(session.state);
      const { agent, model } = like;
      if (!snapshot?.text || agent === undefined || model === undefined) return;
      if (snapshot.inOwnMessage || snapshot.inSystemPrompt || !isWanted()) return;
      const messages = await askMessages(client, session.id);
      // If it is unknown whether the message exists, the next request shows it; otherwise the snapshot goes into the
      // system prompt.
      if (messages === undefined || hasSnapshot(messages, snapshot)) return;
      const { providerID, modelID } = model;
      const body: OwnPrompt = {
        messageID: ownMessageId(next?.id, now()),
        noReply: true,
        agent,
        model: { providerID, modelID },
        parts: [{ type: "text", text: snapshot.text, synthetic: true }],
      };
      const stored = await soon(client.session.prompt({ path: { id: session.id }, body }), DEADLINE_MS);
      if (stored === undefined)
        throw new ContinuoError("message-not-stored", "OpenCode did not store the snapshot's message", {
          hint: 'the system prompt has it instead; "injection": "system" always does',
        });
      session.send({ type: "foundInOwnMessage", at: snapshot.at, isThere: true });
      // Messages are read back in the order of their times.
      if (next !== undefined) next.time = { ...next.time, created: now() + 1 };
    },
  };
}
