import { ContinuoError } from "../../base/errors.ts";
import { loadConfig } from "../../store/config.ts";
import { homeForHost } from "../../store/home.ts";
import type { MessageInfo, OwnPrompt } from "./api.ts";
import { askMessages, soon } from "./client.ts";
import { hasSnapshot, ownMessageId } from "./messages.ts";
import type { AdaptedSession, AdapterOptions } from "./session-adapter.ts";
import { frozenIn } from "./session-state.ts";

/**
 * The host takes 25 ms, but seconds in a process that has just started on a busy machine. This is the longest that anything
 * is waited for: a message that arrives after the turn has begun is in the wrong place, and may be answered.
 */
const DEADLINE_MS = 10_000;

/** `injection: "noReply"`: the frozen snapshot as a message of its own, which the host stores. */
export interface OwnMessage {
  isWanted(): boolean;
  /**
   * Puts the snapshot there, unless it is there or in the system prompt. Only while the host waits for the hook and has not
   * stored the person's newest message yet: any later, and the host would answer this one.
   * `like`: a message with the session's agent and model. `next`: the message to come, where the host has made it already.
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
      // If it is not known whether it is there, the next request shows it; otherwise it goes into the system prompt.
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
      // Messages are read back by their times.
      if (next !== undefined) next.time = { ...next.time, created: now() + 1 };
    },
  };
}
