import type { WebEvent } from "../../api/events.ts";
import type { Failure } from "../../api/failure.ts";
import { missedAnswer } from "./events.ts";
import { distrustServer, isServerTrusted, pageKey } from "./page-key.ts";

/** Why a request failed or was refused. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  /** The whole body of the answer: after a conflict it contains the current state. */
  readonly body: unknown;

  constructor(status: number, code: string, message: string, hint: string | undefined, body: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.body = body;
  }
}

/** Turns anything that a request threw into a failure to show, including bugs of this page. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiFailure(0, "page", message, "reload the page", {});
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Request {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Whether the request continues when the user leaves the page. */
  readonly keepalive?: boolean;
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    send<T>("GET", path, { ...(query && { query }), ...(signal && { signal }) }),
  post: <T>(path: string, body: unknown = {}) => send<T>("POST", path, { body }),
  put: <T>(path: string, body: unknown) => send<T>("PUT", path, { body }),
  patch: <T>(path: string, body: unknown, options: { keepalive?: boolean } = {}) =>
    send<T>("PATCH", path, { body, ...options }),
  delete: <T>(path: string, body?: unknown) => send<T>("DELETE", path, body === undefined ? {} : { body }),
};

/** The API path of a session. An id may contain any character. */
export function sessionPath(host: string, id: string, rest = ""): string {
  return `/sessions/${encodeURIComponent(host)}/${encodeURIComponent(id)}${rest}`;
}

/** Whether an event is about one session; by default, about its transcript, name or activity. */
export const isAbout =
  ({ host, id }: { host: string; id: string }, ...types: readonly WebEvent["type"][]) =>
  (event: WebEvent): boolean =>
    (types.length === 0 ? event.type === "session" : types.includes(event.type)) &&
    "session" in event &&
    event.session.host === host &&
    event.session.id === id;

async function send<T>(method: string, path: string, request: Request): Promise<T> {
  const { query, body, signal, keepalive } = request;
  const key = await pageKey();
  if (!isServerTrusted.value) throw noAnswer();
  let response: Response;
  try {
    response = await fetch(`/api${path}${searchOf(query)}`, {
      method,
      headers: {
        "x-continuo-page": key,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    // The server may have ended. The event stream may be in another tab, which reports that only later.
    distrustServer();
    throw noAnswer();
  }
  const answer: unknown = await response.json().catch((error: unknown) => {
    if (signal?.aborted) throw error; // otherwise an empty answer would be shown
    return {};
  });
  if (response.ok) return answer as T;
  // Another server may have started on this port meanwhile: it may accept this page, or refuse it.
  if (response.status === 401) distrustServer();
  const { error } = answer as Partial<Failure>;
  throw new ApiFailure(
    response.status,
    error?.code ?? "failed",
    error?.message ?? `the server answered with status ${response.status}`,
    error?.hint,
    answer,
  );
}

function noAnswer(): ApiFailure {
  missedAnswer();
  return new ApiFailure(0, "no-answer", "Continuo's server does not answer", "run `continuo web` again", {});
}

function searchOf(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
