import { redact } from "../store/redact.ts";

/** Why a server gave no usable answer. */
export interface PostFailure {
  readonly why: string;
  /** Set if the server answered with an error. */
  readonly status?: number;
  /** The request timed out. */
  readonly isLate?: boolean;
  readonly cause?: unknown;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly failure: (failure: PostFailure) => Error;
}

/** Sends JSON once and reads JSON. Throws the caller's error for any failure; an abort is thrown unchanged. */
export async function post({ url, headers, body, timeoutMs, signal, failure }: Post): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      // A redirect must not send the key to another server.
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch (error) {
    signal?.throwIfAborted();
    throw failure({
      why: timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error),
      isLate: timeout.aborted,
      cause: error,
    });
  }
  throw failure({ why: `it answered ${response.status}`, status: response.status });
}

/** fetch only says that it failed; the reason is in the cause. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** The header for a key, as OpenAI and compatible servers expect it. */
export function bearer(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

/**
 * Why a text cannot be an API's address, worded to follow the setting's name. Never shows an address that contains a
 * key.
 */
export function addressProblem(url: string): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return `is ${JSON.stringify(redact(url))}`;
  const { username, password, search, hash } = new URL(url);
  if (username !== "" || password !== "") return "has a user name or a password in it, which is never sent";
  // The rest of the address is appended to it.
  return search === "" && hash === "" ? undefined : "has a query or a fragment (? or #)";
}

/** fetch refuses a header with any other character, and quotes the whole header in its error. */
export function isSendableKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key.trim());
}

/** False if the user probably put the key itself where the variable's name belongs: then it must not be shown. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}
