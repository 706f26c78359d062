import { ContinuoError } from "../moments/errors.ts";
import type { Source } from "../moments/source.ts";
import { nearest } from "../store/settings.ts";
import { follow } from "./follow.ts";
import type { HookHost } from "./hook-host.ts";
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

/** From a host's event to what is printed. Bounded, and never throws, as `follow` is. */
export async function runHook(run: HookRun): Promise<string> {
  const host = run.hosts.find((one) => one.name === run.host);
  const { env, now, sources } = run;
  const maxChars = host === undefined ? {} : { maxChars: host.maxChars };
  const delivery = await follow(
    { where: `hook ${run.host} ${run.event}`, env, now, sources, ...maxChars },
    async (ms) => {
      if (host === undefined) throw unknownHost(run);
      const payload = parsePayload(await run.readPayload(ms));
      return host.understand({ event: run.event, env, cwd: run.cwd, at: now() }, payload);
    },
  );
  if (delivery.verdict !== undefined) return host?.replyVerdict(run.event, delivery.verdict) ?? "";
  return delivery.text === "" ? "" : (host?.reply(run.event, delivery.text) ?? "");
}

function unknownHost(run: HookRun): ContinuoError {
  const names = run.hosts.map((host) => host.name);
  const near = nearest(run.host, names);
  return new ContinuoError("unknown-host", `"${run.host}" is no host that calls hooks`, {
    hint: near === undefined ? `known hosts: ${names.join(", ")}` : `did you mean "${near}"?`,
  });
}
