import { ContinuoError, describeError, isContinuoError } from "../../base/errors.ts";
import { dailyWarning, failure, recordHealth } from "../../store/health.ts";
import type { Home } from "../../store/home.ts";
import type { MeaningSource, TextMeaning } from "../vectors/embed-texts.ts";
import { DIMENSIONS } from "../vectors/quantise.ts";
import { type Meaning, openMeaning } from "./embed.ts";

/** The table of this process, or why it cannot be used; undefined until it is first needed. */
let state: { readonly meaning: TextMeaning } | { readonly failure: ContinuoError } | undefined;
/** The homes in which this process has recorded the failure. */
const recordedIn = new Set<string>();

/**
 * The table of meaning of this process, opened once, at the first call. Without a usable table everything works with
 * words alone; that is recorded for `continuo doctor`, once a day.
 */
export function sharedMeaning(home: Home, open: () => Meaning = openMeaning): MeaningSource {
  return () => {
    state ??= opened(open);
    if ("meaning" in state) return watched(state.meaning, home);
    record(state.failure, home);
    return undefined;
  };
}

/** Why this process cannot use the table of meaning; undefined if it can, or has not needed it. */
export function meaningFailure(): ContinuoError | undefined {
  return state !== undefined && "failure" in state ? state.failure : undefined;
}

/** For tests, in which the table appears and vanishes within one process. */
export function forgetMeaning(): void {
  state = undefined;
  recordedIn.clear();
}

function opened(open: () => Meaning): NonNullable<typeof state> {
  try {
    const meaning = open();
    if (meaning.dimensions === DIMENSIONS) return { meaning };
    meaning.close();
    const message = `the table of meaning has ${meaning.dimensions} columns, not ${DIMENSIONS}`;
    return { failure: new ContinuoError("meaning-version", message, { hint: "install Continuo again" }) };
  } catch (error) {
    return { failure: asFailure(error) };
  }
}

/** Whatever is wrong with the table, notes and sessions are still indexed and searched. */
function asFailure(error: unknown): ContinuoError {
  if (isContinuoError(error)) return error;
  return new ContinuoError("meaning-failed", describeError(error).message, { cause: error });
}

/** Damage inside the table shows only when that place is used. From then on the process works without it. */
function watched(meaning: TextMeaning, home: Home): TextMeaning {
  function failed(error: unknown): ContinuoError {
    const failure = asFailure(error);
    state = { failure };
    record(failure, home);
    return failure;
  }
  return {
    version: meaning.version,
    isWord(text) {
      try {
        return meaning.isWord?.(text) ?? false;
      } catch (error) {
        failed(error);
        return false;
      }
    },
    embed(text) {
      try {
        return meaning.embed(text);
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

function record(error: ContinuoError, home: Home): void {
  if (recordedIn.has(home.root)) return;
  recordedIn.add(home.root);
  const now = Date.now();
  const warn = (): void => void recordHealth(home.logs, failure("meaning", error, now));
  dailyWarning(home, "meaning", now, warn)(error.code, error.message, error.hint ?? "");
}
