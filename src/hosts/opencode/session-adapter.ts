import { isRecord } from "../../base/json.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { findProject } from "../../moments/project/project.ts";
import type { RunParts } from "../../moments/run/run.ts";
import type { CompactedMoment, Moment, Session, ToolMoment } from "../../moments/types.ts";
import { toolMoment as toolCall } from "../shared/fields.ts";
import { createBase, type InProcessBase } from "../shared/in-process/base.ts";
import { isHandled } from "../shared/in-process/copies.ts";
import { mentionedFiles } from "../shared/mentions/mentioned-files.ts";
import type { Client } from "./api.ts";
import { askMessages, askSession, showLines } from "./client.ts";
import { filesIn, lastRequestIn } from "./messages.ts";
import { wantsOwnMessage } from "./own-message.ts";
import { type Frozen, NEW_SESSION, next, type SessionEvent, type SessionState } from "./session-state.ts";
import { tools } from "./tools.ts";

export interface AdapterOptions extends RunParts {
  readonly client: Client;
  readonly directory: string;
}

/** One session in this process. */
export interface AdaptedSession {
  readonly id: string;
  readonly state: SessionState;
  /** Pending while a new epoch is begun: requests wait for it. */
  renewal: Promise<unknown> | undefined;
  send(event: SessionEvent): void;
}

/**
 * Translates what happens to a session into moments, and their results back into deliveries. Each call is bounded in
 * time.
 */
export interface SessionAdapter extends Pick<InProcessBase, "quietly"> {
  /** The session with this id; created if unknown. */
  of(id: string): AdaptedSession;
  known(id: string): AdaptedSession | undefined;
  forget(id: string): void;
  /** Runs quietly, and only in the first copy of the plugin that sees this object. */
  once(event: string, given: object, work: () => void | Promise<void>): Promise<void>;
  identify(session: AdaptedSession): Promise<Session>;
  toolContext(id: string, call?: { cwd?: string; signal?: AbortSignal | undefined }): Promise<ToolContext>;
  open(session: AdaptedSession, prompt: string): Promise<void>;
  /** For a turn without a prompt, such as the one after an automatic compaction. */
  openOnce(session: AdaptedSession): Promise<void>;
  /** `mentions`: the paths in the message, as in a `PromptForm`. */
  prompt(session: AdaptedSession, prompt: string, mentions: Iterable<readonly string[]>): Promise<string>;
  guard(session: AdaptedSession, tool: string, input: unknown): Promise<Verdict | undefined>;
  tool(session: AdaptedSession, tool: string, input: unknown, response: unknown): Promise<string>;
  /** The text for the summariser. */
  handover(session: AdaptedSession): Promise<string>;
  /** Begins a new epoch, unless that is already in progress. Quiet. */
  renew(session: AdaptedSession): Promise<void>;
  /**
   * Whether the stored state says that an epoch is owed after a compaction. A prompt would begin it, and deliver it in
   * the wrong place.
   */
  owes(session: AdaptedSession): boolean;
  idle(session: AdaptedSession): Promise<void>;
  end(session: AdaptedSession): Promise<void>;
}

type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "agent" | "stopped">;

/** How many messages to read of a session that this process did not follow. */
const MAX_MESSAGES = 50;

/** More sessions than anyone has open; a forgotten one is read from disk again. */
const MAX_SESSIONS = 500;

export function createSessionAdapter({ client, directory, ...parts }: AdapterOptions): SessionAdapter {
  const { now } = parts;
  const base = createBase("opencode", parts, {
    reviewCommand: "/continuo-review",
    onNotice: (lines) => showLines({ client, ...parts }, lines),
  });
  const { follow, followUnwaited, deliver, quietly } = base;
  const sessions = new Map<string, AdaptedSession>();

  /** Undefined if the host does not answer, which is recorded. */
  const asked = <T>(answer: Promise<T>): Promise<T | undefined> => quietly("client", () => answer);

  function stored(session: Session): Frozen | undefined {
    const snapshot = base.stateOf(session).read()?.snapshot;
    if (!snapshot) return undefined;
    const { text, at, tail } = snapshot;
    return { text, at: Date.parse(at), tail };
  }

  function of(id: string): AdaptedSession {
    const session = sessions.get(id) ?? newSession(id);
    sessions.delete(id); // moves it to the end: the first is the least recently used
    sessions.set(id, session);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return session;
  }

  async function identify({ id, state, send }: AdaptedSession): Promise<Session> {
    let { parent } = state;
    if (parent === undefined && !state.isHostAsked) {
      send({ type: "hostAsked" }); // a host that does not answer is asked again at the next prompt, not at each moment
      const described = await asked(askSession(client, id));
      parent = described?.parent;
      send({ type: "described", parent, createdAt: described?.createdAt });
    }
    return { host: "opencode", id, ...(parent ? { parent } : {}) };
  }

  async function common(session: AdaptedSession): Promise<Common> {
    const identity = await identify(session);
    const { model, agent, request } = session.state;
    return {
      session: identity,
      project: findProject(directory),
      cwd: directory,
      at: now(),
      model,
      agent,
      stopped: request,
    };
  }

  async function toolMoment(
    session: AdaptedSession,
    name: string,
    args: unknown,
    response?: unknown,
  ): Promise<ToolMoment> {
    return toolCall(await common(session), name, isRecord(args) ? args : {}, tools, response);
  }

  async function open(session: AdaptedSession, prompt: string): Promise<void> {
    session.send({ type: "opening" });
    const messages = (await asked(askMessages(client, session.id, MAX_MESSAGES))) ?? [];
    session.send({ type: "requested", request: lastRequestIn(messages) });
    const shared = await common(session);
    const isKnown = stored(shared.session) !== undefined;
    // A fork, or a session from before the installation: its snapshot should know the files it works on.
    const files = isKnown ? [] : filesIn(messages, directory, shared.project.root);
    if (files.length > 0)
      await deliver("history", {
        ...shared,
        name: "tool",
        isPast: true,
        tool: { name: "", input: {}, files },
      });
    // The host has no resume event: it is a session that existed before this process.
    const moment: Moment =
      isKnown || messages.length > 0
        ? { ...shared, name: "resume", isInPlace: true }
        : { ...shared, name: "start", ...(prompt === "" ? {} : { prompt }) };
    await deliver(moment.name, moment);
    // What is on disk counts, not what was returned, because every later process will read the disk.
    session.send({ type: "opened", frozen: stored(shared.session) });
  }

  async function beginEpoch(session: AdaptedSession): Promise<void> {
    // A separate message comes after the summary, so the snapshot may change.
    const keepsSnapshot = !wantsOwnMessage(parts);
    const moment: CompactedMoment = { ...(await common(session)), name: "compacted", keepsSnapshot };
    const { summary } = session.state;
    let frozen: Frozen | undefined;
    session.send({ type: "renewalStarted" });
    try {
      await deliver("session.compacted", moment);
      frozen = stored(moment.session);
    } finally {
      session.send({ type: "renewalEnded", frozen });
    }
    if (summary !== "") await follow("summary", () => ({ kind: "summary", moment, summary }));
  }

  return {
    of,
    known: (id) => sessions.get(id),
    forget: (id) => void sessions.delete(id),
    quietly,
    async once(event, given, work) {
      await quietly(event, () => (isHandled(given) ? undefined : work()));
    },
    identify,
    toolContext: async (id, { cwd = directory, signal } = {}) =>
      base.toolContext({ session: await identify(of(id)), cwd, signal }),
    open,
    async openOnce(session) {
      if (session.state.snapshot.status === "untried") await open(session, "");
    },
    async prompt(session, prompt, mentions) {
      const given = await common(session);
      const moment: Moment = { ...given, name: "prompt", prompt, ...mentionedFiles(mentions, given) };
      const at = new Date(moment.at).toISOString();
      session.send({ type: "requested", request: { text: prompt, answered: false, at } });
      return deliver("chat.message", moment);
    },
    async guard(session, name, args) {
      const moment = await toolMoment(session, name, args);
      return (await follow("tool.execute.before", () => ({ kind: "guard", moment }))).verdict;
    },
    async tool(session, name, args, response) {
      // Without a snapshot the call would deliver it here, and the system prompt would repeat it.
      const isPast = session.state.snapshot.status !== "frozen";
      return deliver("tool.execute.after", { ...(await toolMoment(session, name, args, response)), isPast });
    },
    async handover(session) {
      const trigger = session.state.isAutomatic ? "auto" : "manual";
      // The system prompt of a summary request has no snapshot, and additions are cut out of its messages.
      const moment = { name: "compacting", trigger, isWithoutBlocks: true } as const;
      return deliver("session.compacting", { ...(await common(session)), ...moment });
    },
    async renew(session) {
      session.renewal ??= quietly("session.compacted", () => beginEpoch(session)).finally(() => {
        session.renewal = undefined;
      });
      await session.renewal;
    },
    owes: ({ id }) => base.stateOf({ host: "opencode", id }).read()?.owed === true,
    async idle(session) {
      const { answer } = session.state;
      const said = answer === undefined ? {} : { answer };
      await followUnwaited("session.idle", { ...(await common(session)), name: "idle", ...said });
    },
    async end(session) {
      await deliver("session.deleted", { ...(await common(session)), name: "end", why: "deleted" });
    },
  };
}

function newSession(id: string): AdaptedSession {
  let state = NEW_SESSION;
  return {
    id,
    get state() {
      return state;
    },
    renewal: undefined,
    send(event) {
      state = next(state, event);
    },
  };
}
