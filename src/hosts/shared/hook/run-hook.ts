import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { nearest } from "../../../base/text.ts";
import type { LoadHistory } from "../../../moments/ports/history.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { HookHost } from "../../port/hook-host.ts";
import type { HostEvent } from "../../port/host-event.ts";
import { type Payload, text } from "../fields.ts";
import { type Delivery, follow } from "../follow.ts";
import { WAIT_MS } from "../time-limits.ts";
import { eventOf, parseEvent, replyText, replyVerdict, roomAt, waitMsAt } from "./adapter.ts";
import { parsePayload } from "./payload.ts";

export interface HookRun {
  readonly host: string;
  readonly event: string;
  /** Which of the event's hook entries this is; the first unless given. */
  readonly entry?: number;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  /** How long the host has been waiting already; 0 unless given. */
  readonly spentMs?: () => number;
  readonly hosts: readonly HookHost[];
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
  /** Earlier events of this session may not have reached Continuo. */
  readonly mayHaveMissed?: boolean;
  /** The process ends after this moment, and nothing else runs in it. */
  readonly isOwnProcess?: boolean;
  /** The host waits for what is printed (default): its timeout limits the moment, besides Continuo's own deadline. */
  readonly isWaitedFor?: boolean;
  /** Fires when the host does not wait any longer. */
  readonly signal?: AbortSignal;
  /** Called when the moment failed, or the host did not wait for it. */
  readonly onFailed?: () => void;
  /** Called with what is printed when the agent stops, as soon as that is known: other work may follow. */
  readonly onStopDecided?: (printed: string) => void;
  /** More lines for the user, if the host shows them. */
  readonly moreLines?: () => Promise<readonly string[]>;
  /** The payload's bytes; rejects when there are too many or they do not arrive in time. */
  readPayload(deadlineMs: number): Promise<Uint8Array>;
}

/** From a host's event to what is printed. Has a deadline and never throws, like `follow`. */
export async function runHook(run: HookRun): Promise<string> {
  const host = run.hosts.find((one) => one.name === run.host);
  const { env, now, sources, history } = run;
  const hasFurtherEntries = Object.values(host?.events ?? {}).some((event) => event.entries !== undefined);
  const waitMs = host === undefined ? WAIT_MS.prompt : waitMsAt(host, run.event);
  const time = { waitMs, spentMs: run.spentMs?.() ?? 0 };
  const delivery = await follow(
    {
      where: `hook ${run.host} ${run.event}`,
      env,
      now,
      sources,
      history,
      isOwnProcess: run.isOwnProcess === true,
      ...(run.signal === undefined ? {} : { signal: run.signal }),
      ...(run.isWaitedFor === false ? {} : { time }),
      ...(host === undefined ? {} : { room: roomAt(host, run.event) }),
      hasFurtherEntries,
      canRefuseStop: true,
      ...(host === undefined || run.onStopDecided === undefined
        ? {}
        : { onStopDecided: (decided) => run.onStopDecided?.(printed(host, run.event, decided)) }),
      showsNotices: host?.reply.showsLines === true,
      ...(host?.reviewCommand === undefined ? {} : { reviewCommand: host.reviewCommand }),
    },
    async (ms) => {
      if (host === undefined) throw unknownHost(run);
      const bytes = await run.readPayload(ms);
      const call = { event: run.event, env, cwd: run.cwd, at: now() };
      const payload = parsePayload(bytes);
      const event = forEntry(
        parseEvent(host, call, payload),
        run,
        host,
        occurrenceOf(host, run.event, payload, bytes),
      );
      return withPast(host, run, event);
    },
  );
  if (delivery.failed === true) run.onFailed?.();
  if (host === undefined) return "";
  const notices = [...(delivery.notices ?? []), ...((await run.moreLines?.()) ?? [])];
  return printed(host, run.event, { ...delivery, notices });
}

function printed(host: HookHost, event: string, { text, verdict, notices }: Delivery): string {
  return verdict === undefined
    ? replyText(host, event, text, notices)
    : replyVerdict(host, event, verdict, notices);
}

/** Tells the entries of one event which occurrence they belong to. */
function forEntry(
  parsed: HostEvent | undefined,
  { event, entry = 1 }: HookRun,
  host: HookHost,
  occurrence: () => string,
): HostEvent | undefined {
  if (parsed?.kind !== "moment" || eventOf(host, event)?.entries === undefined)
    return entry === 1 ? parsed : undefined;
  const moment = { ...parsed.moment, occurrence: occurrence() };
  return entry === 1 ? { kind: "moment", moment } : { kind: "further", moment, entry };
}

/**
 * What was missed is made up for at the next prompt or tool call. Around a compaction and at the end it is always looked
 * for: these are rare, and the last chances.
 */
async function withPast(
  host: HookHost,
  { mayHaveMissed = false }: HookRun,
  event: HostEvent | undefined,
): Promise<HostEvent | undefined> {
  if (event?.kind !== "moment" || host.past === undefined) return event;
  const { moment } = event;
  const isLast = moment.name === "compacted" || moment.name === "end";
  const isNext = mayHaveMissed && (moment.name === "prompt" || moment.name === "tool");
  if (!isLast && !isNext) return event;
  const read = await host.past();
  return { kind: "moment", moment: { ...moment, readPast: (since: number) => read(moment, since) } };
}

/**
 * All entries of one event get the same bytes. At a prompt the host's own id of it is used, because a hook process and the
 * MCP server get different bytes for the same prompt.
 */
function occurrenceOf(host: HookHost, event: string, payload: Payload, bytes: Uint8Array): () => string {
  const { session, occurrence } = host.fields;
  const isPrompt = eventOf(host, event)?.kind === "prompt";
  const id = isPrompt && occurrence !== undefined ? text(payload, occurrence) : undefined;
  return () =>
    id === undefined
      ? fingerprint(`${event} ${Buffer.from(bytes).toString("latin1")}`)
      : fingerprint(`${event} ${text(payload, session)} ${id}`);
}

function unknownHost(run: HookRun): ContinuoError {
  const names = run.hosts.map((host) => host.name);
  const near = nearest(run.host, names);
  return new ContinuoError("unknown-host", `"${run.host}" is not a host that calls hooks`, {
    hint: near === undefined ? `known hosts: ${names.join(", ")}` : `did you mean "${near}"?`,
  });
}
