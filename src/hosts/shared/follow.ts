import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError } from "../../base/errors.ts";
import type { Room } from "../../compose/room.ts";
import { createEngine, type Engine } from "../../moments/engine.ts";
import type { LoadHistory } from "../../moments/ports/history.ts";
import type { Source, Verdict } from "../../moments/ports/source.ts";
import type { HostNote } from "../../moments/ports/tool.ts";
import type { Moment } from "../../moments/types.ts";
import { loadConfig } from "../../store/config.ts";
import { failure, recordHealth } from "../../store/health.ts";
import { markTold, pendingNote } from "../../store/health-note.ts";
import { findHome, type Home, homeForHost } from "../../store/home.ts";
import type { Meaning } from "../port/meaning.ts";
import { type HookTime, limitsFor } from "./time-limits.ts";

export interface FollowOptions {
  /** Where a failure happened, for `doctor`: the host and its own word for the event. */
  readonly where: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
  /** In a hook process. Without it only our own deadline holds. */
  readonly time?: HookTime;
  /** What the host shows of one delivery at this event. */
  readonly room?: Room;
  readonly hasFurtherEntries?: boolean;
  /** Where the host keeps notes of its own. */
  readonly onHostNote?: (note: HostNote) => void;
}

/** What the host is to do: deliver a text (none when empty), or heed a verdict. */
export interface Delivery {
  readonly text: string;
  readonly verdict?: Verdict;
}

const NOTHING: Delivery = { text: "" };

/**
 * From what happened in a host to what is to be delivered. Every adapter goes through here, in a hook process and inside
 * a host alike. Never throws and never takes longer than the deadline: whatever happens, the host goes on, and the
 * failure is where `continuo doctor` finds it. `understand` may wait for the host's payload; undefined means that the
 * event is none of ours.
 */
export async function follow(
  options: FollowOptions,
  understand: (deadlineMs: number) => Meaning | undefined | Promise<Meaning | undefined>,
): Promise<Delivery> {
  const { env, now, sources } = options;
  const onTrouble = (place: string, error: unknown) =>
    recordFailure(env, `${options.where}: ${place}`, error, now());
  try {
    const { home, problem } = homeForHost(env);
    const loaded = loadConfig(home.config, sources, env);
    const { problems } = loaded;
    const { config, limitMs } = limitsFor(options.time, loaded.config, sources);
    const late = () =>
      new ContinuoError(
        "moment-late",
        `the moment took longer than ${limitMs} ms; the host went on without us`,
        { hint: "raise momentDeadlineMs in config.json if this machine is slow" },
      );
    return await withDeadline(limitMs, late, async (signal) => {
      const meaning = await understand(config.momentDeadlineMs);
      if (meaning === undefined) return NOTHING;
      if (meaning.moment.name === "start") {
        for (const { message, hint } of problems)
          onTrouble("config", new ContinuoError("config", message, { hint }));
        if (problem !== undefined)
          onTrouble("home", new ContinuoError("home-missing", problem.message, { hint: problem.hint }));
      }
      const engine = createEngine({
        sources,
        config,
        home,
        env,
        history: options.history,
        ...(options.room === undefined ? {} : { room: options.room }),
        ...(options.hasFurtherEntries === undefined ? {} : { hasFurtherEntries: options.hasFurtherEntries }),
        signal,
        health: { note: () => pendingNote(home), told: () => markTold(home, now()) },
        onTrouble,
        ...(options.onHostNote === undefined ? {} : { onHostNote: options.onHostNote }),
      });
      return answerTo(engine, meaning);
    });
  } catch (error) {
    onTrouble("moment", error);
    return NOTHING;
  }
}

/** Where the home itself is missing, the record goes to the temporary folder. */
export function recordFailure(env: NodeJS.ProcessEnv, where: string, error: unknown, at: number): void {
  let home: Home | undefined;
  try {
    home = findHome(env);
  } catch {
    // No home is one of the failures that end up here: `recordHealth` then has only its second place.
  }
  recordHealth(home?.logs, failure(where, error, at));
}

async function answerTo(engine: Engine, meaning: Meaning): Promise<Delivery> {
  if (meaning.kind === "guard") {
    const verdict = await engine.guard(meaning.moment);
    return verdict === undefined ? NOTHING : { text: "", verdict };
  }
  if (meaning.kind === "summary") {
    await engine.summarised(meaning.moment, meaning.summary);
    return NOTHING;
  }
  if (meaning.kind === "further") return { text: await engine.further(meaning.moment, meaning.entry) };
  return { text: await deliver(engine, meaning.moment) };
}

async function deliver(engine: Engine, moment: Moment): Promise<string> {
  switch (moment.name) {
    case "start":
      return engine.start(moment);
    case "resume":
      return engine.resume(moment);
    case "prompt":
      return engine.prompt(moment);
    case "tool":
      return engine.tool(moment);
    case "compacting":
      return engine.compacting(moment);
    case "compacted":
      return engine.compacted(moment);
    case "idle":
      await engine.idle(moment);
      return "";
    case "end":
      await engine.end(moment);
      return "";
  }
}
