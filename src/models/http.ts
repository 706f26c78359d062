import { redact } from "../store/redact.ts";

/** Why a server gave nothing usable. */
export interface PostFailure {
  readonly why: string;
  /** Set when the server answered with an error. */
  readonly status?: number;
  /** Its time was up. */
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

/** Sends JSON once and reads JSON. Whatever goes wrong is the caller's error; an abort is thrown as it is. */
export async function post({ url, headers, body, timeoutMs, signal, failure }: Post): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      // A key must not follow a redirect to somebody else.
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

/** fetch says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** How OpenAI, and those who do as it does, are shown a key. */
export function bearer(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

/** Why a text can be no API's address, to be said behind its setting's name. Of one with a key in it nothing is shown. */
export function addressProblem(url: string): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return `is ${JSON.stringify(redact(url))}`;
  const { username, password, search, hash } = new URL(url);
  if (username !== "" || password !== "") return "has a user name or a password in it, which is never sent";
  // The rest of the address is put behind it.
  return search === "" && hash === "" ? undefined : "has something behind ? or # in it";
}

/** fetch refuses a header with other signs, and shows it whole in its error. */
export function isSendableKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key.trim());
}

/** Somebody may have put a key where the name of its variable belongs: then it must not be shown. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}
