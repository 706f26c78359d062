import { withDeadline } from "../../base/deadline.ts";
import { ContinuoError } from "../../base/errors.ts";
import { createEngine } from "../../moments/engine/engine.ts";
import type { Delivery, HostEvent } from "../../moments/host-event.ts";
import type { HostRun, RunParts } from "../../moments/run/run.ts";
import { loadConfig } from "../../store/config.ts";
import { failure, recordHealth } from "../../store/health.ts";
import { findHome, type Home, homeForHost } from "../../store/home.ts";
import { type HookTime, limitsFor, momentLimit, UNWAITED_MS } from "./time-limits.ts";

/** What `follow` needs to know about an event and the host. The rest comes from the user's settings. */
interface FollowRun extends RunParts, HostRun {
  /** Names the place of a failure for `doctor`: the host and its own name for the event. */
  readonly where: string;
  /** Only in a hook process. Without it only Continuo's own deadline applies. */
  readonly time?: HookTime | undefined;
  /** Nobody waits for this moment, so it has its own time limit instead of the host's deadline. */
  readonly isUnwaited?: boolean | undefined;
}

/**
 * Turns an event of a host into a delivery. Every adapter uses this, in a hook process as well as inside a host. It
 * never throws and never exceeds the deadline: the host always goes on, and `continuo doctor` shows the failure.
 * `parse` may wait for the host's payload, and can return facts about the host that are known only then; undefined
 * means that there is nothing to do.
 */
export async function follow(
  given: FollowRun,
  parse: (deadlineMs: number) => Parsed | undefined | Promise<Parsed | undefined>,
): Promise<Delivery> {
  const { env, now, sources, time, isUnwaited = false, signal: outer } = given;
  const onFailure = (place: string, error: unknown) =>
    recordFailure(env, `${given.where}: ${place}`, error, now());
  const begun = Date.now();
  let prepare: ((limitMs: number) => Promise<void>) | undefined;
  try {
    const { home, problem } = homeForHost(env);
    const loaded = loadConfig(home.config, sources, env);
    const { config, limitMs } = limitsFor(time, loaded.config, sources);
    const late = () =>
      isUnwaited ? workLate() : momentLate(limitMs, limitMs < momentLimit(loaded.config, sources));
    const answer = async (signal: AbortSignal): Promise<Delivery> => {
      const parsed = await parse(config.momentDeadlineMs);
      if (parsed === undefined) return { text: "" };
      const { host, ...event } = parsed;
      const { moment } = event;
      if (moment.name === "start") {
        for (const { message, hint } of loaded.problems)
          onFailure("config", new ContinuoError("config", message, { hint }));
        if (problem !== undefined)
          onFailure("home", new ContinuoError("home-missing", problem.message, { hint: problem.hint }));
      }
      // In a long-running process, nobody waits for work done while the agent is idle.
      const isWaited =
        !isUnwaited && (time !== undefined || (moment.name !== "idle" && moment.name !== "end"));
      const elapsedMs = () => (time?.spentMs ?? 0) + Date.now() - begun;
      const engine = createEngine({
        ...given,
        ...host,
        home,
        config,
        signal,
        onFailure,
        elapsedMs: isWaited ? elapsedMs : undefined,
        isAgentsProcess: time === undefined && given.isOwnProcess !== true,
        sourcesMayTakeMs: isUnwaited ? UNWAITED_MS : undefined,
      });
      const delivery = await engine.handle(event);
      // If the agent goes on, no session begins next.
      if (event.kind === "moment" && delivery.verdict === undefined)
        prepare = (left) => engine.prepare(moment, left);
      return delivery;
    };
    const delivery = await withDeadline(isUnwaited ? UNWAITED_MS : limitMs, late, answer, outer);
    try {
      // Outside the deadline: not preparing a start in time is not a failure.
      await prepare?.(isUnwaited ? limitMs : limitMs - (Date.now() - begun));
    } catch (error) {
      onFailure("prepare", error); // the answer is ready, and counts as delivered
    }
    return delivery;
  } catch (error) {
    // The user may have stopped the turn, which is not a failure.
    if (outer?.aborted !== true) onFailure("moment", error);
    return { text: "", failed: true };
  }
}

/** An event, and facts about the host that are known only now. */
type Parsed = HostEvent & { readonly host?: HostRun };

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

/** Thrown when a stop can no longer be refused, so that no refusal is recorded. */
export function stopLate(): ContinuoError {
  return new ContinuoError("stop-late", "the agent did not wait for the answer to its stop", {
    hint: "nothing to change: the machine was busy",
  });
}

/** Records a failure; if the home itself is missing, in the temporary folder. */
export function recordFailure(env: NodeJS.ProcessEnv, where: string, error: unknown, at: number): void {
  let home: Home | undefined;
  try {
    home = findHome(env);
  } catch {
    // A missing home is one of the failures that are recorded here: `recordHealth` then uses the temporary folder.
  }
  recordHealth(home?.logs, failure(where, error, at));
}
