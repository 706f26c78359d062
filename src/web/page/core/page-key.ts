import { signal } from "@preact/signals";

/**
 * How this page proves itself to the server, and lets the server prove itself. Another program may listen on this port
 * after the server ended, and could read everything stored for it. So there are two passes:
 *
 * - `now` is in this tab's storage, so that a reload keeps it, and open tabs pass it to new ones. It is worthless once
 * this server has ended.
 * - `later` gives this page access to the next server. It is only in memory.
 *
 * A pass's key is sent only after a proof by the server: when the page was loaded (perhaps from the browser's cache),
 * when the connection broke, and when the browser shows a page again that was left.
 */
export const isServerTrusted = signal(false);
/** False once the server refused this page: then the user has to run `continuo web`. */
export const hasAccess = signal(true);

const STORED = "continuo.page";
const ASK = "which key";
/** A background tab may be slow to answer. */
const ANSWER_MS = 2000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
const LATE_MS = 10_000;

/** Absent in tests without a browser. */
const storage = typeof sessionStorage === "undefined" ? undefined : sessionStorage;
const channel =
  storage === undefined || typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(STORED);
let now = storage?.getItem(STORED) ?? undefined;
let later: string | undefined;
/** Counts how often the server was distrusted: a proof that began earlier is not valid. */
let doubts = 0;
let proving: Promise<boolean> | undefined;

/** The key for requests; empty if this page has no access. Waits while the page is loading. */
export async function pageKey(): Promise<string> {
  await firstAnswer;
  return isServerTrusted.value ? (now?.split(".")[0] ?? "") : "";
}

channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (data === ASK && now !== undefined && isServerTrusted.value) channel.postMessage({ key: now });
});

/** The key from another tab; undefined if none answers. */
function askTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), channel === undefined ? 0 : ANSWER_MS);
    const hear = ({ data }: MessageEvent<{ key?: string } | string>) => {
      if (typeof data === "object" && data.key !== undefined) finish(data.key);
    };
    const finish = (found: string | undefined) => {
      clearTimeout(timer);
      channel?.removeEventListener("message", hear);
      resolve(found);
    };
    channel?.addEventListener("message", hear);
    channel?.postMessage(ASK);
  });
}

/** Another program may use the port now. Repeats the request until the server has proved itself again. */
export function distrustServer(): void {
  if (storage === undefined) return;
  doubts += 1;
  isServerTrusted.value = false;
  void provedServer();
}

/** Resolves once the server has proved itself; false if it does not know this page. */
export function provedServer(): Promise<boolean> {
  if (isServerTrusted.value) return Promise.resolve(true);
  proving ??= prove().finally(() => {
    proving = undefined;
  });
  return proving;
}

/** Code that loads data waits for the first answer, and reports if there is none. */
const { promise: firstAnswer, resolve: answered } = Promise.withResolvers<void>();

async function prove(): Promise<boolean> {
  let hasAskedTabs = false;
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    const begun = doubts;
    let result = await askForPasses(now);
    if (result === "refused" && later !== undefined) result = await askForPasses(later);
    if (result === "proved" && begun !== doubts) continue;
    // A page that once had access does not accept another tab's key: that tab may be served by another program now.
    if (result === "refused" && later === undefined && !hasAskedTabs) {
      hasAskedTabs = true;
      now = (await askTabs()) ?? now;
      continue;
    }
    if (result === "proved") isServerTrusted.value = true;
    if (result === "refused") hasAccess.value = false;
    answered();
    if (result !== "unknown") return result === "proved";
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** `refused`: the server does not know this page; `unknown`: no answer, or not from the server. */
async function askForPasses(own: string | undefined): Promise<"proved" | "refused" | "unknown"> {
  const [key = "", secret = ""] = own?.split(".") ?? [];
  // A service worker that intercepts this page's requests would see the key.
  if (key === "" || navigator.serviceWorker?.controller) return "refused";
  const nonce = encode(crypto.getRandomValues(new Uint8Array(16)));
  try {
    const proof = await proofOf(secret, "again", location.origin, nonce);
    const again = await fetch("/api/again", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: await hash(key), nonce, proof }),
      signal: AbortSignal.timeout(LATE_MS),
    });
    if (again.status === 401) return "refused";
    const answer = (await again.json()) as { readonly proof?: unknown };
    if (answer.proof !== (await proofOf(secret, "answer", location.origin, nonce))) return "unknown";
    const headers = { "x-continuo-page": key };
    const passes = await fetch("/api/passes", { headers, signal: AbortSignal.timeout(LATE_MS) });
    if (passes.status === 401) return "refused";
    if (!passes.ok) return "unknown";
    const given = (await passes.json()) as { readonly now: string; readonly later?: string };
    now = given.now;
    later = given.later ?? later;
  } catch {
    return "unknown";
  }
  storage?.setItem(STORED, now);
  return "proved";
}

if (storage === undefined) {
  isServerTrusted.value = true;
  answered();
} else {
  void provedServer();
}

async function hash(value: string): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value))));
}

async function proofOf(secret: string, ...parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const hmac = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const message = new TextEncoder().encode(JSON.stringify(parts));
  return encode(new Uint8Array(await crypto.subtle.sign("HMAC", hmac, message)));
}

/** In the server's encoding: base64url without padding. */
function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Loads another file of the page's code, and waits while the server is away: a file from another program on its port
 * would run inside this page.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  while (!isServerTrusted.value) {
    await new Promise<void>((resolve) => {
      const stop = isServerTrusted.subscribe((isTrusted) => {
        if (!isTrusted) return;
        queueMicrotask(() => stop());
        resolve();
      });
    });
  }
  return load();
}
