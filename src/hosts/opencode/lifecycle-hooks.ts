import { orUndefinedAfter } from "../../base/deadline.ts";
import { isRecord } from "../../base/json.ts";
import { findProject } from "../../moments/project/project.ts";
import type { Session } from "../../moments/types.ts";
import { recordFailure } from "../shared/follow.ts";
import { createBackground } from "../shared/in-process/background.ts";
import type { Parts } from "../shared/in-process/base.ts";
import { createOfferRunner, type OfferOptions } from "../shared/in-process/offers.ts";
import type { Hooks, OpenCodeEvent } from "./api.ts";
import { sessionFrom } from "./client.ts";
import type { OwnMessage } from "./own-message.ts";
import type { SessionAdapter } from "./session-adapter.ts";
import { needsEpoch } from "./session-state.ts";

type LifecycleHook =
  | "event"
  | "dispose"
  | "experimental.session.compacting"
  | "experimental.text.complete"
  | "experimental.compaction.autocontinue";

interface LifecycleOptions {
  readonly adapter: SessionAdapter;
  readonly ownMessage: OwnMessage;
  readonly jobs: Jobs;
  readonly toast: () => void;
  readonly now: Parts["now"];
  /** True if waiting for work that events began would delay the next process. */
  readonly mustLeave: () => boolean;
}

/** Handles what happens to a session besides its requests: it begins, compacts, goes idle and ends. */
export function lifecycleHooks(options: LifecycleOptions): Pick<Hooks, LifecycleHook> {
  const { adapter, ownMessage, jobs, now } = options;
  const { once } = adapter;
  const running = new Set<Promise<unknown>>();
  return {
    event: async ({ event }) => {
      const work = once("event", event, () => onEvent(event, options));
      running.add(work);
      await work;
      running.delete(work);
    },
    async dispose() {
      if (options.mustLeave()) return;
      await orUndefinedAfter(SETTLE_MS, Promise.allSettled(running));
      await jobs.settle();
    },

    "experimental.session.compacting": ({ sessionID }, output) =>
      once("session.compacting", output, async () => {
        const session = adapter.of(sessionID);
        session.send({ type: "summariserStarted", at: now() });
        const text = await adapter.handover(session);
        if (text !== "") output.context.push(text);
      }),

    "experimental.text.complete": ({ sessionID }, output) =>
      once("text.complete", output, () =>
        adapter.known(sessionID)?.send({ type: "textCompleted", text: output.text }),
      ),

    // In an automatic compaction this is the last hook that the host waits for before it continues on its own.
    "experimental.compaction.autocontinue": ({ sessionID, message }, output) =>
      once("autocontinue", output, async () => {
        if (message === undefined || !ownMessage.isWanted()) return;
        const session = adapter.of(sessionID);
        await adapter.renew(session);
        await ownMessage.put(session, message);
      }),
  };
}

/** The host does not wait for this work. */
async function onEvent(event: OpenCodeEvent, { adapter, jobs, toast }: LifecycleOptions): Promise<void> {
  const properties = event.properties ?? {};
  const info = isRecord(properties["info"]) ? properties["info"] : {};
  const id = properties["sessionID"] ?? info["id"];
  if (typeof id !== "string") return;
  switch (event.type) {
    case "session.created":
      adapter.of(id).send({ type: "described", ...sessionFrom(info) });
      return;
    case "message.part.updated": {
      const part = properties["part"];
      if (isRecord(part) && part["type"] === "compaction")
        adapter.of(id).send({ type: "compactionRequested", isAutomatic: part["auto"] === true });
      return;
    }
    case "session.compacted": {
      const session = adapter.of(id);
      session.send({ type: "compacted" });
      if (needsEpoch(session.state)) await adapter.renew(session);
      return;
    }
    case "session.error":
    case "session.idle": {
      const session = adapter.known(id);
      if (session === undefined) return;
      session.send({ type: "stopped" });
      if (event.type === "session.idle" && session.state.snapshot.status === "frozen") {
        await adapter.idle(session);
        jobs.begin(await adapter.identify(session));
      }
      toast();
      return;
    }
    case "session.deleted": {
      await adapter.end(adapter.of(id));
      adapter.forget(id);
      return;
    }
  }
}

/** What sources do while the agent is idle. The host has no status line to show it in. */
interface Jobs {
  begin(session: Session): void;
  /** Call when the host ends, or leaves the directory. */
  settle(): Promise<void>;
}

/** `opencode run` ends when it has its answer, and its caller waits for that. */
const SETTLE_MS = 2_000;

export function createJobs({
  directory,
  ...options
}: Omit<OfferOptions, "host"> & { readonly directory: string }): Jobs {
  const { env, now } = options;
  const runner = createOfferRunner({ host: "opencode", ...options });
  const background = createBackground((where, error) =>
    recordFailure(env, `opencode ${where}`, error, now()),
  );
  let isStarted = false;
  return {
    begin(session) {
      if (session.parent !== undefined) return;
      const place = { session, project: findProject(directory), cwd: directory };
      const begin = (at: "start" | "idle") => runner.begin(at, place, background, () => undefined);
      // Not when the host loads the plugin, which it also does to list sessions.
      if (!isStarted) begin("start");
      isStarted = true;
      begin("idle");
    },
    settle: () => background.settle(SETTLE_MS),
  };
}
