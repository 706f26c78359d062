import { isRecord } from "../../base/settings.ts";
import type { LoadHistory } from "../../moments/ports/history.ts";
import type { Source, Verdict } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project.ts";
import type { Moment, Session, ToolMoment } from "../../moments/types.ts";
import type { Meaning } from "../port/meaning.ts";
import { toolMoment as toolCall } from "../shared/fields.ts";
import { type Delivery, follow, recordFailure } from "../shared/follow.ts";
import type { Client } from "./api.ts";
import { filesIn, lastRequestIn } from "./conversation.ts";
import { askMessages, askSession, frozenIn, storedState } from "./lookup.ts";
import type { Thread } from "./threads.ts";
import { filesOf } from "./tools.ts";

export interface ConductorOptions {
  readonly client: Client;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
}

/** From what happens to a thread to moments, and from what they deliver back to the thread. Each is bounded. */
export interface Conductor {
  sessionOf(thread: Thread): Promise<Session>;
  begin(thread: Thread, prompt: string): Promise<void>;
  /** For a turn that no prompt began, such as the one after an automatic compaction. */
  beginOnce(thread: Thread): Promise<void>;
  prompt(thread: Thread, prompt: string): Promise<string>;
  guard(thread: Thread, tool: string, input: unknown): Promise<Verdict | undefined>;
  tool(thread: Thread, tool: string, input: unknown): Promise<string>;
  handOver(thread: Thread): Promise<string>;
  beginEpoch(thread: Thread): Promise<void>;
  /** Could a compaction's epoch not be begun? A prompt would begin it, and deliver here what belongs elsewhere. */
  owes(thread: Thread): boolean;
  idle(thread: Thread): Promise<void>;
  end(thread: Thread): Promise<void>;
}

type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "agent" | "stopped">;

/** How far back a session that we did not follow is looked at. */
const REACH = 50;

export function createConductor({
  client,
  directory,
  env,
  now,
  sources,
  history,
}: ConductorOptions): Conductor {
  const tell = (where: string, meaning: Meaning): Promise<Delivery> =>
    follow({ where: `opencode ${where}`, env, now, sources, history }, () => meaning);

  const state = (session: Session) =>
    storedState(env, session, (path, movedTo) =>
      recordFailure(env, "opencode state", new Error(`${path} was damaged; moved to ${movedTo}`), now()),
    );
  const stored = (session: Session) => frozenIn(state(session));

  /** What the host does not tell is done without, but not in silence. */
  const orElse = async <T>(fallback: T, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      recordFailure(env, "opencode client", error, now());
      return fallback;
    }
  };

  async function sessionOf(thread: Thread): Promise<Session> {
    if (thread.parent === undefined && !thread.asked) {
      thread.asked = true; // a host that does not answer is asked again at the next prompt, not at each moment
      const told = await orElse(undefined, askSession(client, thread.id));
      thread.parent = told?.parent;
      thread.createdAt = told?.createdAt;
    }
    return { host: "opencode", id: thread.id, ...(thread.parent ? { parent: thread.parent } : {}) };
  }

  async function common(thread: Thread): Promise<Common> {
    return {
      session: await sessionOf(thread),
      project: findProject(directory),
      cwd: directory,
      at: now(),
      ...(thread.model === undefined ? {} : { model: thread.model }),
      ...(thread.agent === undefined ? {} : { agent: thread.agent }),
      ...(thread.request === undefined ? {} : { stopped: thread.request }),
    };
  }

  async function toolMoment(thread: Thread, name: string, args: unknown): Promise<ToolMoment> {
    return toolCall(await common(thread), name, isRecord(args) ? args : {}, filesOf);
  }

  async function begin(thread: Thread, prompt: string): Promise<void> {
    thread.tried = true;
    const history = (await orElse(undefined, askMessages(client, thread.id, REACH))) ?? [];
    thread.request = lastRequestIn(history);
    const happening = await common(thread);
    const { session, project } = happening;
    const isOurs = stored(session) !== undefined;
    // A fork, or a session from before we were installed: its snapshot is to know the files that it works on.
    const files = isOurs ? [] : filesIn(history, directory, project.root);
    if (files.length > 0) {
      const moment: Moment = { ...happening, name: "tool", tool: { name: "", input: {}, files } };
      await tell("history", { kind: "moment", moment });
    }
    // The host has no word for a resume: it is a session that we, or the host, had before this process.
    const isResume = isOurs || history.length > 0;
    const moment: Moment = isResume
      ? { ...happening, name: "resume" }
      : { ...happening, name: "start", ...(prompt === "" ? {} : { prompt }) };
    await tell(moment.name, { kind: "moment", moment });
    // What is on disk, not what was returned: that is what every later process will say.
    thread.snapshot = stored(session);
  }

  return {
    sessionOf,
    begin,
    async beginOnce(thread) {
      if (!thread.tried && thread.snapshot === undefined) await begin(thread, "");
    },
    async prompt(thread, prompt) {
      const moment: Moment = { ...(await common(thread)), name: "prompt", prompt };
      thread.request = { text: prompt, answered: false, at: new Date(moment.at).toISOString() };
      return (await tell("chat.message", { kind: "moment", moment })).text;
    },
    async guard(thread, name, args) {
      const moment = await toolMoment(thread, name, args);
      return (await tell("tool.execute.before", { kind: "guard", moment })).verdict;
    },
    async tool(thread, name, args) {
      const moment = await toolMoment(thread, name, args);
      return (await tell("tool.execute.after", { kind: "moment", moment })).text;
    },
    async handOver(thread) {
      const trigger = thread.isAutomatic ? "auto" : "manual";
      const moment: Moment = { ...(await common(thread)), name: "compacting", trigger };
      return (await tell("session.compacting", { kind: "moment", moment })).text;
    },
    async beginEpoch(thread) {
      const moment = { ...(await common(thread)), name: "compacted" } as const;
      const { summary } = thread;
      thread.summary = "";
      thread.held = []; // the new snapshot says it
      await tell("session.compacted", { kind: "moment", moment });
      thread.snapshot = stored(moment.session) ?? thread.snapshot;
      if (summary !== "") await tell("summary", { kind: "summary", moment, summary });
    },
    owes: ({ id }) => state({ host: "opencode", id })?.owed === true,
    async idle(thread) {
      await tell("session.idle", { kind: "moment", moment: { ...(await common(thread)), name: "idle" } });
    },
    async end(thread) {
      const moment: Moment = { ...(await common(thread)), name: "end", why: "deleted" };
      await tell("session.deleted", { kind: "moment", moment });
    },
  };
}
