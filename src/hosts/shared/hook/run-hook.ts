import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { nearest } from "../../../base/text.ts";
import type { HostEvent } from "../../../moments/host-event.ts";
import type { LoadHistory } from "../../../moments/ports/history.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { HookCaller } from "../../port/hook-host.ts";
import { type Payload, text } from "../fields.ts";
import { type Delivery, type FollowOptions, follow } from "../follow.ts";
import { WAIT_MS } from "../time-limits.ts";
import { eventOf, parseEvent, replyText, replyVerdict, roomAt, waitMsAt } from "./adapter.ts";
import { callerOf } from "./caller.ts";
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
  readonly hosts: readonly HookCaller[];
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
  const entry = run.hosts.find((one) => one.name === run.host);
  const { env, now, sources, history } = run;
  const waitMs = entry === undefined ? WAIT_MS.prompt : waitMsAt(entry, run.event);
  const time = { waitMs, spentMs: run.spentMs?.() ?? 0 };
  let answering = entry && { host: entry, event: run.event };
  const options = {
    where: `hook ${run.host} ${run.event}`,
    env,
    now,
    sources,
    history,
    isOwnProcess: run.isOwnProcess === true,
    ...(run.signal === undefined ? {} : { signal: run.signal }),
    ...(run.isWaitedFor === false ? { isUnwaited: true } : { time }),
    canRefuseStop: true,
  };
  const delivery = await follow(options, async (ms) => {
    if (entry === undefined) throw unknownHost(run);
    const bytes = await run.readPayload(ms);
    const from = { event: run.event, env, cwd: run.cwd, at: now() };
    const { host, call, payload } = callerOf(entry, run.hosts, from, parsePayload(bytes));
    const { event } = call;
    answering = { host, event };
    // Known only now, and not asked for before.
    Object.assign(options, deliveryTo(host, event, run));
    const parsed = parseEvent(host, call, payload);
    return withPast(host, run, forEntry(parsed, run, host, occurrenceOf(host, event, payload, bytes)));
  });
  if (delivery.failed === true) run.onFailed?.();
  if (answering === undefined) return "";
  const { host, event } = answering;
  // What they are about is the host that has the hook in its settings.
  const more = host === entry ? await run.moreLines?.() : [];
  return printed(host, event, { ...delivery, notices: [...(delivery.notices ?? []), ...(more ?? [])] });
}

/** How a host shows what is delivered at an event. */
function deliveryTo(host: HookCaller, event: string, { onStopDecided }: HookRun): Partial<FollowOptions> {
  return {
    room: roomAt(host, event),
    hasFurtherEntries: Object.values(host.events).some(({ entries }) => entries !== undefined),
    showsNotices: host.reply.showsLines,
    ...(onStopDecided && { onStopDecided: (decided) => onStopDecided(printed(host, event, decided)) }),
    ...(host.reviewCommand === undefined ? {} : { reviewCommand: host.reviewCommand }),
  };
}

function printed(host: HookCaller, event: string, { text, verdict, notices }: Delivery): string {
  return verdict === undefined
    ? replyText(host, event, text, notices)
    : replyVerdict(host, event, verdict, notices);
}

/** Tells the entries of one event which occurrence they belong to. */
function forEntry(
  parsed: HostEvent | undefined,
  { event, entry = 1 }: HookRun,
  host: HookCaller,
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
  host: HookCaller,
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
function occurrenceOf(host: HookCaller, event: string, payload: Payload, bytes: Uint8Array): () => string {
  const { session, occurrence } = host.fields;
  const isPrompt = eventOf(host, event)?.kind === "prompt";
  const id = isPrompt && occurrence !== undefined ? text(payload, occurrence) : undefined;
  return () =>
    id === undefined
      ? fingerprint(`${event} ${Buffer.from(bytes).toString("latin1")}`)
      : fingerprint(`${event} ${text(payload, session)} ${id}`);
}

function unknownHost(run: HookRun): ContinuoError {
  const names = [
    ...new Set(run.hosts.filter((host) => host.runsHooksOf === undefined).map(({ name }) => name)),
  ];
  const near = nearest(run.host, names);
  return new ContinuoError("unknown-host", `"${run.host}" is not a host that calls hooks`, {
    hint: near === undefined ? `known hosts: ${names.join(", ")}` : `did you mean "${near}"?`,
  });
}
