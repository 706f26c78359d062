import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError } from "../../base/errors.ts";
import type { Room } from "../../compose/room.ts";
import { createEngine, type Engine } from "../../moments/engine/engine.ts";
import type { HostEvent } from "../../moments/host-event.ts";
import type { LoadHistory } from "../../moments/ports/history.ts";
import type { Source, Verdict } from "../../moments/ports/source.ts";
import type { HostNote } from "../../moments/ports/tool.ts";
import type { IdleMoment, Moment } from "../../moments/types.ts";
import { loadConfig } from "../../store/config.ts";
import { failure, markReported, pendingNote, recordHealth } from "../../store/health.ts";
import { findHome, type Home, homeForHost } from "../../store/home.ts";
import { type HookTime, limitsFor, momentLimit, UNWAITED_MS } from "./time-limits.ts";

export interface FollowOptions {
  /** Where a failure happened, for `doctor`: the host and its own name for the event. */
  readonly where: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
  /** In a hook process. Without it only Continuo's own deadline holds. */
  readonly time?: HookTime;
  /** Nobody waits for this moment: it has time of its own, and no deadline of the host's. */
  readonly isUnwaited?: boolean;
  /** The process ends after this moment, and nothing else runs in it. */
  readonly isOwnProcess?: boolean;
  /** Fires when the host does not wait any longer: what is not delivered then must not count as delivered. */
  readonly signal?: AbortSignal;
  /** How much of one delivery the host shows the model at this event. */
  readonly room?: Room;
  readonly hasFurtherEntries?: boolean;
  /** The host can make the agent go on when it stops. */
  readonly canRefuseStop?: boolean;
  /** Called when it is known whether the agent's stop is refused, before everything is done that is to be done then. */
  readonly onStopDecided?: (decided: Delivery) => void;
  /** The host shows its user the lines of a delivery. */
  readonly showsNotices?: boolean;
  /** What the person types in this host to decide on suggestions, if it has a command for it. */
  readonly reviewCommand?: string;
  /** Where the host keeps notes of its own. */
  readonly onHostNote?: (note: HostNote) => void;
}

/** What the host has to do: deliver a text (none when empty), or respect a verdict. */
export interface Delivery {
  readonly text: string;
  /** On a tool call, or at `idle` on the agent's stop. */
  readonly verdict?: Verdict;
  /** Lines for the user, which the model must not see. */
  readonly notices?: readonly string[];
  /** The moment failed, or the host did not wait for it. */
  readonly failed?: true;
}

const NOTHING: Delivery = { text: "" };

/**
 * From an event of a host to what is delivered. Every adapter uses this function, in a hook process and inside a host
 * alike. It never throws and never takes longer than the deadline: whatever happens, the host goes on, and `continuo
 * doctor` shows the failure. `parse` may wait for the host's payload; undefined means that there is nothing to do.
 */
export async function follow(
  options: FollowOptions,
  parse: (deadlineMs: number) => HostEvent | undefined | Promise<HostEvent | undefined>,
): Promise<Delivery> {
  const { env, now, sources } = options;
  const onFailure = (place: string, error: unknown) =>
    recordFailure(env, `${options.where}: ${place}`, error, now());
  const begun = Date.now();
  let prepare: ((limitMs: number) => Promise<void>) | undefined;
  try {
    const { home, problem } = homeForHost(env);
    const loaded = loadConfig(home.config, sources, env);
    const { problems } = loaded;
    const { config, limitMs } = limitsFor(options.time, loaded.config, sources);
    const isUnwaited = options.isUnwaited === true;
    const late = () =>
      isUnwaited ? workLate() : momentLate(limitMs, limitMs < momentLimit(loaded.config, sources));
    const answer = async (signal: AbortSignal): Promise<Delivery> => {
      const event = await parse(config.momentDeadlineMs);
      if (event === undefined) return NOTHING;
      if (event.moment.name === "start") {
        for (const { message, hint } of problems)
          onFailure("config", new ContinuoError("config", message, { hint }));
        if (problem !== undefined)
          onFailure("home", new ContinuoError("home-missing", problem.message, { hint: problem.hint }));
      }
      let notices: readonly string[] = [];
      const { moment } = event;
      // In a process that lives on, nobody waits for what happens when the agent is idle.
      const isWaited =
        !isUnwaited && (options.time !== undefined || (moment.name !== "idle" && moment.name !== "end"));
      const elapsedMs = () => (options.time?.spentMs ?? 0) + Date.now() - begun;
      const engine = createEngine({
        ...(isWaited ? { elapsedMs } : {}),
        sources,
        config,
        home,
        env,
        history: options.history,
        isOwnProcess: options.isOwnProcess === true,
        isAgentsProcess: options.time === undefined && options.isOwnProcess !== true,
        ...(isUnwaited ? { sourcesMayTakeMs: UNWAITED_MS } : {}),
        ...(options.room === undefined ? {} : { room: options.room }),
        ...(options.hasFurtherEntries === undefined ? {} : { hasFurtherEntries: options.hasFurtherEntries }),
        ...(options.showsNotices === undefined
          ? {}
          : { showsNotices: options.showsNotices && !config.quiet }),
        ...(options.reviewCommand === undefined ? {} : { reviewCommand: options.reviewCommand }),
        canRefuseStop: options.canRefuseStop === true,
        onStopDecided: (verdict) =>
          options.onStopDecided?.({ text: "", notices, ...(verdict === undefined ? {} : { verdict }) }),
        signal,
        health: { note: () => pendingNote(home), markReported: () => markReported(home, now()) },
        onFailure,
        ...(config.quiet
          ? {}
          : {
              onNotice: (lines) => {
                notices = [...notices, ...lines];
              },
            }),
        ...(options.onHostNote === undefined ? {} : { onHostNote: options.onHostNote }),
      });
      const answered = await answerTo(engine, event);
      engine.finished(moment);
      // An agent that goes on does not begin a session next.
      const isOver = moment.name === "idle" ? answered.verdict === undefined : moment.name === "end";
      if (event.kind === "moment" && isOver && (moment.name === "idle" || moment.name === "end"))
        prepare = (left) => engine.prepare(moment, left);
      return notices.length === 0 ? answered : { ...answered, notices };
    };
    const delivery = await withDeadline(isUnwaited ? UNWAITED_MS : limitMs, late, answer, options.signal);
    try {
      // Not within the deadline: a start that is not prepared in time is no failure.
      await prepare?.(isUnwaited ? limitMs : limitMs - (Date.now() - begun));
    } catch (error) {
      onFailure("prepare", error); // the answer is there, and counts as delivered
    }
    return delivery;
  } catch (error) {
    // The user may have stopped the turn: that is no failure.
    if (options.signal?.aborted !== true) onFailure("moment", error);
    return { text: "", failed: true };
  }
}

function momentLate(limitMs: number, isShortened: boolean): ContinuoError {
  return isShortened
    ? new ContinuoError(
        "moment-late",
        `the machine was so busy that only ${limitMs} ms of the agent's time limit were left for this; the agent continued without Continuo`,
        { hint: "nothing to change: Continuo tries again at the next prompt or tool call" },
      )
    : new ContinuoError(
        "moment-late",
        `this took longer than ${limitMs} ms; the agent continued without Continuo`,
        {
          hint: "if this machine is always slow, raise momentDeadlineMs: continuo open settings",
        },
      );
}

function workLate(): ContinuoError {
  return new ContinuoError(
    "work-late",
    `what is done when the agent has stopped took longer than ${UNWAITED_MS / 1000} s and was ended; nobody waited for it`,
    { hint: "nothing to change: the next stop goes on with it" },
  );
}

/** If the home itself is missing, the record goes to the temporary folder. */
export function recordFailure(env: NodeJS.ProcessEnv, where: string, error: unknown, at: number): void {
  let home: Home | undefined;
  try {
    home = findHome(env);
  } catch {
    // A missing home is one of the failures that are recorded here: `recordHealth` then uses the temporary folder.
  }
  recordHealth(home?.logs, failure(where, error, at));
}

async function answerTo(engine: Engine, event: HostEvent): Promise<Delivery> {
  if (event.kind === "guard") {
    const verdict = await engine.guard(event.moment);
    return verdict === undefined ? NOTHING : { text: "", verdict };
  }
  if (event.kind === "summary") {
    await engine.summarised(event.moment, event.summary);
    return NOTHING;
  }
  if (event.kind === "further") return { text: await engine.further(event.moment, event.entry) };
  if (event.moment.name === "idle") {
    const verdict = await engine.idle(event.moment);
    return verdict === undefined ? NOTHING : { text: "", verdict };
  }
  return { text: await deliver(engine, event.moment) };
}

async function deliver(engine: Engine, moment: Exclude<Moment, IdleMoment>): Promise<string> {
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
    case "end":
      await engine.end(moment);
      return "";
  }
}
