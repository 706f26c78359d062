import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { nearest } from "../../../base/settings.ts";
import type { LoadHistory } from "../../../moments/ports/history.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { HookHost } from "../../port/hook-host.ts";
import type { Meaning } from "../../port/meaning.ts";
import { follow } from "../follow.ts";
import { WAIT_MS } from "../time-limits.ts";
import { parsePayload } from "./payload.ts";

export interface HookRun {
  readonly host: string;
  readonly event: string;
  /** Which of the event's hook entries this is; the first unless it is given. */
  readonly entry?: number;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  /** How long the host has been waiting already; nothing unless it is given. */
  readonly spentMs?: () => number;
  readonly hosts: readonly HookHost[];
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
  /** The payload's bytes; rejects when they are too many or do not come in time. */
  readPayload(deadlineMs: number): Promise<Uint8Array>;
}

/** From a host's event to what is printed. Bounded, and never throws, as `follow` is. */
export async function runHook(run: HookRun): Promise<string> {
  const host = run.hosts.find((one) => one.name === run.host);
  const { env, now, sources, history } = run;
  const room = host?.room(run.event);
  const hasFurtherEntries = host?.entries !== undefined;
  const time = { waitMs: host?.waitMs(run.event) ?? WAIT_MS.prompt, spentMs: run.spentMs?.() ?? 0 };
  const delivery = await follow(
    {
      where: `hook ${run.host} ${run.event}`,
      env,
      now,
      sources,
      history,
      time,
      ...(room === undefined ? {} : { room }),
      hasFurtherEntries,
    },
    async (ms) => {
      if (host === undefined) throw unknownHost(run);
      const bytes = await run.readPayload(ms);
      const call = { event: run.event, env, cwd: run.cwd, at: now() };
      return ofEntry(host.understand(call, parsePayload(bytes)), run, host, bytes);
    },
  );
  if (delivery.verdict !== undefined) return host?.replyVerdict(run.event, delivery.verdict) ?? "";
  return delivery.text === "" ? "" : (host?.reply(run.event, delivery.text) ?? "");
}

/** All entries of one event are handed the same bytes: that is how they know each other. */
function ofEntry(
  meaning: Meaning | undefined,
  { event, entry = 1 }: HookRun,
  host: HookHost,
  payload: Uint8Array,
): Meaning | undefined {
  if (meaning?.kind !== "moment" || host.entries?.[event] === undefined)
    return entry === 1 ? meaning : undefined;
  const occurrence = fingerprint(`${event} ${Buffer.from(payload).toString("latin1")}`);
  const moment = { ...meaning.moment, occurrence };
  return entry === 1 ? { kind: "moment", moment } : { kind: "further", moment, entry };
}

function unknownHost(run: HookRun): ContinuoError {
  const names = run.hosts.map((host) => host.name);
  const near = nearest(run.host, names);
  return new ContinuoError("unknown-host", `"${run.host}" is no host that calls hooks`, {
    hint: near === undefined ? `known hosts: ${names.join(", ")}` : `did you mean "${near}"?`,
  });
}
