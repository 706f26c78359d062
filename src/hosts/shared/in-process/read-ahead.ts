import { createEngine } from "../../../moments/engine/engine.ts";
import type { RunParts } from "../../../moments/run/run.ts";
import type { Moment } from "../../../moments/types.ts";
import { loadConfig } from "../../../store/config.ts";
import { homeForHost } from "../../../store/home.ts";

/** After the host has started, while the user types. A turn given on the command line begins earlier. */
const SOON_MS = 300;

/** A prompt with a topic, so that notes are searched. The result is not used. */
const ANY_PROMPT = "where do the notes say how this project is built, tested and released";

let timer: NodeJS.Timeout | undefined;

/**
 * Soon loads what the first turn needs, if no moment comes first: code, indexes, the table of meaning. Does the same as
 * a start, but delivers nothing. Nobody waits for it, and it does not keep the process alive. For hosts that run
 * Continuo in a long-running process.
 */
export function planReadAhead(
  parts: RunParts,
  place: () => Pick<Moment, "session" | "project" | "cwd">,
  ms = SOON_MS,
): void {
  cancelReadAhead();
  timer = setTimeout(() => void readAhead(parts, place), ms);
  timer.unref();
}

/** Call when a moment comes: it loads what it needs itself, and must not share the processor. */
export function cancelReadAhead(): void {
  clearTimeout(timer);
  timer = undefined;
}

async function readAhead(
  { env, sources, history, now }: RunParts,
  place: () => Pick<Moment, "session" | "project" | "cwd">,
): Promise<void> {
  try {
    const { home } = homeForHost(env);
    const { config } = loadConfig(home.config, sources, env);
    const onFailure = (): void => undefined;
    const engine = createEngine({ sources, config, home, env, history, isUnseen: true, onFailure });
    await engine.preview({ ...place(), at: now(), name: "start", prompt: ANY_PROMPT });
  } catch {
    // The first moment will fail in the same way, and record it.
  }
}
