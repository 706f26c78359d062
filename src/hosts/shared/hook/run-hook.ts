import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { nearest } from "../../../base/text.ts";
import type { Delivery, HostEvent } from "../../../moments/host-event.ts";
import type { Verdict } from "../../../moments/ports/source.ts";
import type { HostRun, RunParts } from "../../../moments/run/run.ts";
import type { HookCaller } from "../../port/hook-host.ts";
import { type Payload, text } from "../fields.ts";
import { follow } from "../follow.ts";
import { WAIT_MS } from "../time-limits.ts";
import { eventOf, roomAt, waitMsAt } from "./events.ts";
import { callerOf, parseEvent } from "./parse-event.ts";

/** One call of a hook. The host's details, and what can be done with its answer, are in its table (`HookCaller`). */
interface HookRun extends RunParts, Pick<HostRun, "isOwnProcess" | "signal"> {
  readonly host: string;
  readonly event: string;
  /** Which of the event's hook entries this is (default: the first). */
  readonly entry?: number | undefined;
  readonly cwd: string;
  /** How long the host has already been waiting (default: 0). */
  readonly spentMs?: () => number;
  readonly hosts: readonly HookCaller[];
  /** Set if earlier events of this session may not have reached Continuo. */
  readonly mayHaveMissed?: boolean;
  /**
   * Whether the host waits for the output (default): then its timeout limits the moment, besides Continuo's own
   * deadline.
   */
  readonly isWaitedFor?: boolean | undefined;
  /** Called when the moment failed, or the host did not wait for it. */
  readonly onFailed?: () => void;
  /** Called with the output as soon as it is known, when the agent stops and other work may follow. */
  readonly onPrinted?: ((printed: string) => void) | undefined;
  /** More lines for the user, if the host shows them. */
  readonly moreLines?: () => Promise<readonly string[]>;
  /** Rejects if there is no payload, or it is unreadable, or it does not arrive in time. */
  readPayload(deadlineMs: number): Promise<Payload>;
}

/** Turns a host's event into output. Has a deadline and never throws, like `follow`. */
export async function runHook(run: HookRun): Promise<string> {
  const { env, now, hosts, isWaitedFor = true } = run;
  const entry = hosts.find((one) => one.name === run.host);
  const waitMs = entry === undefined ? WAIT_MS.prompt : waitMsAt(entry, run.event);
  let answering = entry && { host: entry, event: run.event };
  const following = {
    ...run,
    where: `hook ${run.host} ${run.event}`,
    time: isWaitedFor ? { waitMs, spentMs: run.spentMs?.() ?? 0 } : undefined,
    isUnwaited: !isWaitedFor,
    canRefuseStop: true,
  };
  const delivery = await follow(following, async (ms) => {
    if (entry === undefined) throw unknownHost(run);
    const given = await run.readPayload(ms);
    const { host, call, payload } = callerOf(
      entry,
      hosts,
      { event: run.event, env, cwd: run.cwd, at: now() },
      given,
    );
    answering = { host, event: call.event };
    const parsed = parseEvent(host, call, payload);
    const event = forEntry(parsed, run, host, () => occurrenceOf(host, call.event, payload, given));
    return event && { ...(await withPast(host, run, event)), host: hostRun(host, call.event, run) };
  });
  if (delivery.failed === true) run.onFailed?.();
  if (answering === undefined) return "";
  const { host, event } = answering;
  // These lines are about the host that has the hook in its settings.
  const more = host === entry ? await run.moreLines?.() : [];
  return replyTo(host, event, { ...delivery, notices: [...(delivery.notices ?? []), ...(more ?? [])] });
}

/** How a host shows deliveries at an event. */
function hostRun(host: HookCaller, event: string, { onPrinted }: HookRun): HostRun {
  return {
    room: roomAt(host, event),
    hasFurtherEntries: Object.values(host.events).some(({ entries }) => entries !== undefined),
    showsNotices: host.reply.showsLines,
    onStopDecided: onPrinted && ((decided) => onPrinted(replyTo(host, event, decided))),
    reviewCommand: host.reviewCommand,
  };
}

function replyTo(host: HookCaller, event: string, { text, verdict, notices }: Delivery): string {
  return verdict === undefined
    ? replyText(host, event, text, notices)
    : replyVerdict(host, event, verdict, notices);
}

/** Tells all entries of one event to which occurrence of the event they belong. */
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
 * Missed events are made up for at the next prompt or tool call. Around a compaction and at the end they are always
 * looked for: these are rare, and the last chances.
 */
async function withPast(
  host: HookCaller,
  { mayHaveMissed = false }: HookRun,
  event: HostEvent,
): Promise<HostEvent> {
  if (event.kind !== "moment" || host.past === undefined) return event;
  const { moment } = event;
  const isLast = moment.name === "compacted" || moment.name === "end";
  const isNext = mayHaveMissed && (moment.name === "prompt" || moment.name === "tool");
  if (!isLast && !isNext) return event;
  const read = await host.past();
  return { kind: "moment", moment: { ...moment, readPast: (since: number) => read(moment, since) } };
}

/**
 * Identifies the occurrence: all entries of one event get the same payload. At a prompt the host's own id is used,
 * because a hook process and the MCP server get different fields of the same prompt.
 */
function occurrenceOf(host: HookCaller, event: string, payload: Payload, given: Payload): string {
  const { session, occurrence } = host.fields;
  const isPrompt = eventOf(host, event)?.kind === "prompt";
  const id = isPrompt && occurrence !== undefined ? text(payload, occurrence) : undefined;
  const which = id === undefined ? JSON.stringify(given) : `${text(payload, session)} ${id}`;
  return fingerprint(`${event} ${which}`);
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

/** The output that gives the text to the model, or to the host's summariser, and the lines to the user. */
export function replyText(
  host: HookCaller,
  event: string,
  text: string,
  lines: readonly string[] = [],
): string {
  const { answer } = eventOf(host, event) ?? {};
  if (answer === "none") return "";
  if (answer === "text") return text;
  const shown = shownLines(host, lines);
  if (text === "") return shown === undefined ? "" : printed(host, shown);
  return replyJson(host, host.reply.context, event, { additionalContext: text }, shown);
}

function shownLines({ reply }: HookCaller, lines: readonly string[]): { systemMessage: string } | undefined {
  return reply.showsLines && lines.length > 0 ? { systemMessage: lines.join("\n") } : undefined;
}

/** The output that makes the host respect the verdict on a tool call, or on the agent's stop. */
export function replyVerdict(
  host: HookCaller,
  event: string,
  { action, message }: Verdict,
  lines: readonly string[] = [],
): string {
  const { verdict, decision, reason, canAsk } = host.reply;
  // All hosts use the same keys here.
  if (eventOf(host, event)?.kind === "idle") {
    const refusal = { decision: "block", reason: message };
    const nested = { hookSpecificOutput: { hookEventName: event, ...refusal } };
    return printed(host, {
      ...shownLines(host, lines),
      ...refusal,
      ...(host.reply.nestsRefusal === true && nested),
    });
  }
  if (action === "ask" && !canAsk) {
    const denial = `${message} (ask the user before you do this)`;
    return replyJson(host, verdict, event, { [decision]: "deny", [reason]: denial });
  }
  // Without a terminal the host refuses on its own, and the model reads the question.
  const question = action === "ask" ? `${message} (needs the user's consent: ask the user first)` : message;
  return replyJson(host, verdict, event, { [decision]: action, [reason]: question });
}

function replyJson(
  host: HookCaller,
  place: "nested" | "top",
  event: string,
  answer: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>> = {},
): string {
  return printed(host, {
    ...beside,
    ...(place === "top" ? answer : { hookSpecificOutput: { hookEventName: event, ...answer } }),
  });
}

function printed({ reply }: HookCaller, answer: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(answer);
  if (!reply.isAscii) return json;
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
