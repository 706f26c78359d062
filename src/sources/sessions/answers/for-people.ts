import { ContinuoError } from "../../../base/errors.ts";
import { lookUp } from "../access.ts";
import { label } from "../labels.ts";
import type { Sessions } from "../library.ts";
import { readReference } from "../references/references.ts";
import type { Viewpoint } from "../references/resolve.ts";
import type { PastSession } from "../session.ts";
import type { QueryFailure } from "./query.ts";

/** The session that a person named, or an error that lists the candidates. */
export function requestedSession(library: Sessions, text: string, viewpoint: Viewpoint): PastSession {
  const reference = readReference(text);
  if (reference === undefined)
    throw new ContinuoError("usage", "which session?", { hint: "give an id, a name, or last" });
  const resolution = lookUp(library, reference, viewpoint);
  if (resolution.kind === "found") return resolution.session;
  if (resolution.kind === "ambiguous")
    throw new ContinuoError("session-ambiguous", `"${text}" means more than one session`, {
      hint: `give an id:${eachOf(resolution.candidates.map(label))}`,
    });
  throw new ContinuoError("session-not-found", `no session is called "${text}"`, {
    hint:
      resolution.nearest.length === 0
        ? "continuo sessions list shows all"
        : `nearest:${eachOf(resolution.nearest.map(label))}`,
  });
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

/** The same failure for a person, without the JSON. */
export function asError({ code, message, details = {} }: QueryFailure): ContinuoError {
  const others = [details["candidates"], details["nearest"]].flat().flatMap((one) => labelIn(one));
  return new ContinuoError(code.toLowerCase().replaceAll("_", "-"), message, {
    hint: others.length > 0 ? `there are:${eachOf(others)}` : "continuo sessions list shows all",
  });
}

/** One line each, because a name with an id is long. */
const eachOf = (labels: readonly string[]): string => labels.map((one) => `\n    ${one}`).join("");

function labelIn(candidate: unknown): string[] {
  const text = (candidate as { label?: unknown } | undefined)?.label;
  return typeof text === "string" ? [text] : [];
}
