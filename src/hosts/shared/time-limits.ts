import { sourceLimit } from "../../moments/gather.ts";
import type { Source } from "../../moments/ports/source.ts";
import { CORE_SETTINGS, type Config } from "../../store/config.ts";

/**
 * How long a host waits for a hook, in milliseconds. If hooks never answer, a turn with one tool call (prompt, guard,
 * tool, idle) takes 3 seconds longer, and a start less than 3. All are whole eighths of a second: hosts that count in
 * seconds multiply by 1000, and Claude Code 2.0.77 fails if the result is not a whole number, as with 1.1.
 */
export const WAIT_MS = {
  start: 2_625,
  prompt: 1_125,
  guard: 625,
  tool: 625,
  idle: 625,
  compaction: 2_625,
  end: 1_500,
} as const;

/** A hook stops this long before the host's timeout, so that it fails open itself and records the failure. */
const MARGIN_MS = 150;

const EIGHTH_MS = 125;

/** The time that the runtime takes to start on a slow machine. */
const BOOT_MS = 1_000;

/** With less, not even the payload could be read. */
const LEAST_MS = 50;

/** The time for all sources to answer, plus what the rest of the moment takes. */
export function momentLimit(config: Config, sources: readonly Source[]): number {
  const besides = Math.max(0, config.momentDeadlineMs - config.sourceDeadlineMs);
  return Math.max(config.momentDeadlineMs, ...sources.map((source) => sourceLimit(source, config) + besides));
}

/** The timeout to install for an event: longer if the user allows a moment more time than usual. */
export function timeoutFor(waitMs: number, limitMs = 0): number {
  if (limitMs <= CORE_SETTINGS.momentDeadlineMs.default) return waitMs;
  return Math.max(waitMs, Math.ceil((limitMs + MARGIN_MS + BOOT_MS) / EIGHTH_MS) * EIGHTH_MS);
}

/**
 * The deadline of a moment; in a hook process it is before the host's timeout. Sources get less, so that when one is
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

export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.round(ms / 1000)) * 1000;
}
