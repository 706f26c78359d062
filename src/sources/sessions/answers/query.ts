import { ContinuoError } from "../../../base/errors.ts";
import { catchUp, lookUp } from "../access.ts";
import { distinctIds, label, labels } from "../labels.ts";
import type { Sessions } from "../library.ts";
import { askSession, type SessionAnswer } from "../quotes.ts";
import type { Viewpoint } from "../references/resolve.ts";
import { readReference } from "../references.ts";
import type { PastSession } from "../session.ts";
import type { Composer } from "./composer.ts";

/** Why there is no answer. The codes are the same for all callers. */
export interface QueryFailure {
  readonly code:
    | "INVALID_ARGS"
    | "CALL_LIMIT_EXCEEDED"
    | "SESSION_NOT_FOUND"
    | "SESSION_AMBIGUOUS"
    | "SESSION_FILE_MISSING"
    | "SESSION_PARSE_FAILED"
    | "SESSION_EMPTY"
    | "UNKNOWN_QUERY_SESSION_ERROR";
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

type QueryOutcome =
  | { readonly ok: true; readonly answer: SessionAnswer }
  | { readonly ok: false; readonly failure: QueryFailure };

/** The session may have grown since it was last indexed. */
const SYNC_ONE_MS = 3_000;

/** Answers with a model if there is a composer, else with quotes. */
export async function query(
  library: Sessions,
  { session, question }: { readonly session: string; readonly question: string },
  viewpoint: Viewpoint,
  compose?: Composer,
): Promise<QueryOutcome> {
  const reference = readReference(session);
  const resolution =
    reference === undefined
      ? ({ kind: "unknown", nearest: [] } as const)
      : lookUp(library, reference, viewpoint);
  if (resolution.kind === "ambiguous")
    return failed("SESSION_AMBIGUOUS", `"${session}" means more than one session; ask with an id`, {
      candidates: candidatesOf(resolution.candidates),
    });
  if (resolution.kind === "unknown")
    return failed("SESSION_NOT_FOUND", noSession(session), {
      nearest: candidatesOf(resolution.nearest),
      advice: "do not guess names: ask the user, or take one of the nearest",
    });
  const found = resolution.session;
  await catchUp(library, { only: found, sliceMs: SYNC_ONE_MS });
  const now = library.get(found) ?? found;
  if (now.counts.passages > 0) {
    const quoted = askSession(library, now, question);
    return { ok: true, answer: (await compose?.(library, now, question, quoted)) ?? quoted };
  }
  const notices = now.isGone ? [] : library.problems(now);
  if (now.isGone || notices.some((notice) => notice.startsWith("ENOENT")))
    return failed(
      "SESSION_FILE_MISSING",
      `the transcript of ${label(now)} is gone, and nothing of it is kept`,
    );
  if (notices.length > 0)
    return failed("SESSION_PARSE_FAILED", `the transcript of ${label(now)} could not be read`, {
      notices: notices.slice(0, 5),
    });
  return failed("SESSION_EMPTY", `${label(now)} has no conversation in it`);
}

/** With the text to ask each one by, which is its id. */
function candidatesOf(sessions: readonly PastSession[]): Readonly<Record<string, unknown>>[] {
  const all = labels(sessions);
  return distinctIds(sessions).map((id, at) => ({ id, label: all[at] }));
}

function failed(
  code: QueryFailure["code"],
  message: string,
  details?: QueryFailure["details"],
): QueryOutcome {
  return { ok: false, failure: { code, message, details } };
}

function noSession(name: string): string {
  const isLast = readReference(name)?.name.toLowerCase() === "last";
  return isLast ? "there is no past session yet" : `no session is called "${name}"`;
}

/** `SESSION: QUESTION`, `"a session" QUESTION`, or the first word and the rest. */
export function splitQuestion(argument: string): { readonly session: string; readonly question: string } {
  const text = argument.trim();
  const quoted = /^(?:@@)?"([^"]+)"(?:~\d+)?:?\s+([\s\S]+)$/.exec(text);
  const parts = quoted ?? /^([^\s:]+(?::[^\s:]+)?):?\s+([\s\S]+)$/.exec(text);
  const [, session, question] = parts ?? [];
  if (session !== undefined && question !== undefined) return { session, question };
  throw new ContinuoError("usage", "which session, and what about it?", {
    hint: "for example: last what did we decide about retries?",
  });
}

/** The same failure for a user, without the JSON. */
export function asError({ code, message, details = {} }: QueryFailure): ContinuoError {
  const others = [details["candidates"], details["nearest"]].flat().flatMap((one) => labelIn(one));
  return new ContinuoError(code.toLowerCase().replaceAll("_", "-"), message, {
    hint: others.length > 0 ? ["there are:", ...eachOf(others)] : "continuo sessions list shows all",
  });
}

/** One line each, because a name with an id is long. */
const eachOf = (labels: readonly string[]): string[] => labels.map((one) => `  ${one}`);

function labelIn(candidate: unknown): string[] {
  const text = (candidate as { label?: unknown } | undefined)?.label;
  return typeof text === "string" ? [text] : [];
}
