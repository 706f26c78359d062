import type { Source } from "../../moments/ports/source.ts";
import { sourceLimit } from "../../moments/run/gather.ts";
import { CORE_SETTINGS, type Config } from "../../store/config.ts";

/**
 * How long a host waits for a hook, in milliseconds. A prompt may deliver the rules, like a start: the first prompt,
 * and the first after a compaction. A hook stops its own work much earlier (`momentDeadlineMs`), so only starting a
 * process on a busy machine ever takes this long. Whole seconds, because some hosts accept nothing else.
 */
export const WAIT_MS = {
  start: 5_000,
  prompt: 5_000,
  guard: 2_000,
  tool: 2_000,
  idle: 5_000,
  compaction: 5_000,
  // Codex allows no more, and warns at every start.
  end: 3_000,
} as const;

/**
 * For work that nobody waits for: after the agent has stopped, or its session is over. On a busy machine it takes
 * seconds.
 */
export const UNWAITED_MS = 20_000;

/** How long before the host's timeout a hook stops, so that it can record the failure itself and let the host go on. */
const MARGIN_MS = 150;

const SECOND_MS = 1_000;

/** How long the runtime takes to start on a slow machine. */
const BOOT_MS = 1_000;

/** In less time not even the payload could be read. */
const LEAST_MS = 50;

/** The time limit for all sources together, plus the rest of the moment. */
export function momentLimit(config: Config, sources: readonly Source[]): number {
  const besides = Math.max(0, config.momentDeadlineMs - config.sourceDeadlineMs);
  return Math.max(config.momentDeadlineMs, ...sources.map((source) => sourceLimit(source, config) + besides));
}

/** The timeout to install for an event: longer if the user allows moments more time than usual. */
export function timeoutFor(waitMs: number, limitMs = 0): number {
  if (limitMs <= CORE_SETTINGS.momentDeadlineMs.default) return waitMs;
  return Math.max(waitMs, Math.ceil((limitMs + MARGIN_MS + BOOT_MS) / SECOND_MS) * SECOND_MS);
}

/**
 * The deadline of a moment; in a hook process it is before the host's timeout. Sources get less, so that if one is
 * late, the others are still delivered.
 */
export function limitsFor(
  time: HookTime | undefined,
  config: Config,
  sources: readonly Source[],
): { readonly limitMs: number; readonly config: Config } {
  const whole = momentLimit(config, sources);
  if (time === undefined) return { limitMs: whole, config };
  const { waitMs, spentMs } = time;
  const left = Math.round(Math.max(timeoutFor(waitMs, whole) - MARGIN_MS - spentMs, LEAST_MS));
  if (left >= whole) return { limitMs: whole, config };
  const sourceDeadlineMs = Math.min(config.sourceDeadlineMs, Math.round(left * SOURCES_SHARE));
  return { limitMs: left, config: { ...config, momentDeadlineMs: left, sourceDeadlineMs } };
}

const SOURCES_SHARE = 0.75;

export interface HookTime {
  /** How long the host waits for this event, as `WAIT_MS` says. */
  readonly waitMs: number;
  /** How much of that has passed already. */
  readonly spentMs: number;
}
