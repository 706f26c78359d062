import { ContinuoError } from "../../base/errors.ts";
import { loadConfig } from "../../store/config.ts";
import { homeForHost } from "../../store/home.ts";
import type { MessageInfo, OwnPrompt } from "./api.ts";
import type { ConductorOptions } from "./conductor.ts";
import { askMessages, soon } from "./lookup.ts";
import { ownMessageId, standsIn } from "./requests.ts";
import type { Thread } from "./threads.ts";

/**
 * The host takes 25 ms, but seconds in a process that has just started on a busy machine. It is waited for longer than
 * anything else: what arrives after the turn has begun stands in the wrong place, and may be answered.
 */
const DEADLINE_MS = 10_000;

/** `injection: "noReply"`: the frozen snapshot as a message of its own, which the host keeps. */
export interface OwnMessage {
  isWanted(): boolean;
  /**
   * Puts the snapshot there, unless it is there or the system prompt says it. Only where the host waits for us and its
   * newest message of the user's role is yet to be stored: any later, and the host would answer ours.
   * `like`: a message with the session's agent and model. `next`: the one to come, where there is one already.
   */
  put(thread: Thread, like: MessageInfo, next?: MessageInfo): Promise<void>;
}

export function createOwnMessage({ client, env, now, sources }: ConductorOptions): OwnMessage {
  const isWanted = () =>
    loadConfig(homeForHost(env).home.config, sources, env).config.hosts.opencode.injection === "noReply";

  return {
    isWanted,
    async put(thread, like, next) {
      const { snapshot } = thread;
      const { agent, model } = like;
      if (!snapshot?.text || agent === undefined || model === undefined) return;
      if (thread.standsAlone === snapshot.at || thread.isSaid === snapshot.at || !isWanted()) return;
      const messages = await askMessages(client, thread.id);
      // Not known whether it is there: the next request shows, and the system prompt says it if it is not.
      if (messages === undefined || standsIn(messages, snapshot)) return;
      const { providerID, modelID } = model;
      const body: OwnPrompt = {
        messageID: ownMessageId(next?.id, now()),
        noReply: true,
        agent,
        model: { providerID, modelID },
        parts: [{ type: "text", text: snapshot.text, synthetic: true }],
      };
      const stored = await soon(client.session.prompt({ path: { id: thread.id }, body }), DEADLINE_MS);
      if (stored === undefined)
        throw new ContinuoError("message-not-stored", "OpenCode did not store the snapshot's message", {
          hint: 'the system prompt says it instead; "injection": "system" always does',
        });
      thread.standsAlone = snapshot.at;
      // Messages are read back by their times.
      if (next !== undefined) next.time = { ...next.time, created: now() + 1 };
    },
  };
}
