import { createEngine, type Engine } from "../moments/engine.ts";
import { ContinuoError } from "../moments/errors.ts";
import type { Source } from "../moments/source.ts";
import type { Moment } from "../moments/types.ts";
import { loadConfig } from "../store/config.ts";
import { failure, recordHealth } from "../store/health.ts";
import { markTold, pendingNote } from "../store/health-note.ts";
import { findHome, type Home } from "../store/home.ts";
import { nearest } from "../store/settings.ts";
import type { HookHost, Meaning } from "./hook-host.ts";
import { parsePayload } from "./payload.ts";

export interface HookRun {
  readonly host: string;
  readonly event: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  readonly hosts: readonly HookHost[];
  readonly sources: readonly Source[];
  /** The payload's bytes; rejects when they are too many or do not come in time. */
  readPayload(deadlineMs: number): Promise<Uint8Array>;
}

/**
 * From a host's event to what is printed. Never throws and never takes longer than the deadline: whatever happens,
 * the host goes on, and the failure is where `continuo doctor` finds it.
 */
export async function runHook(run: HookRun): Promise<string> {
  const onTrouble = (place: string, error: unknown) =>
    recordFailure(run.env, `hook ${run.host} ${run.event}: ${place}`, error, run.now());
  try {
    const home = findHome(run.env);
    const { config, problems } = loadConfig(home.config, run.sources, run.env);
    const host = findHost(run);
    const deadline = AbortSignal.timeout(config.momentDeadlineMs);
    const answer = (async () => {
      const payload = parsePayload(await run.readPayload(config.momentDeadlineMs));
      const call = { event: run.event, env: run.env, cwd: run.cwd, at: run.now() };
      const meaning = host.understand(call, payload);
      if (meaning === undefined) return "";
      if (meaning.moment.name === "start") {
        for (const { message, hint } of problems)
          onTrouble("config", new ContinuoError("config", message, { hint }));
      }
      const engine = createEngine({
        sources: run.sources,
        config,
        home,
        env: run.env,
        maxChars: host.maxChars,
        signal: deadline,
        health: { note: () => pendingNote(home), told: () => markTold(home, run.now()) },
        onTrouble,
      });
      return answerTo(engine, host, run.event, meaning);
    })();
    return await Promise.race([answer, lateness(deadline, config.momentDeadlineMs)]);
  } catch (error) {
    onTrouble("moment", error);
    return "";
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

async function answerTo(engine: Engine, host: HookHost, event: string, meaning: Meaning): Promise<string> {
  if (meaning.kind === "guard") {
    const verdict = await engine.guard(meaning.moment);
    return verdict === undefined ? "" : host.replyVerdict(event, verdict);
  }
  if (meaning.kind === "summary") {
    await engine.summarised(meaning.moment, meaning.summary);
    return "";
  }
  const text = await deliver(engine, meaning.moment);
  return text === "" ? "" : host.reply(event, text);
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

function findHost(run: HookRun): HookHost {
  const names = run.hosts.map((host) => host.name);
  const host = run.hosts.find((one) => one.name === run.host);
  if (host !== undefined) return host;
  const near = nearest(run.host, names);
  throw new ContinuoError("unknown-host", `"${run.host}" is no host that calls hooks`, {
    hint: near === undefined ? `known hosts: ${names.join(", ")}` : `did you mean "${near}"?`,
  });
}

function lateness(deadline: AbortSignal, ms: number): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener("abort", () =>
      reject(
        new ContinuoError(
          "moment-late",
          `the moment took longer than ${ms} ms; the host went on without us`,
          {
            hint: "raise momentDeadlineMs in config.json if this machine is slow",
          },
        ),
      ),
    );
  });
}
