import { signal } from "@preact/signals";

/**
 * What this page proves itself by, and asks the server to prove itself by. Something else may listen on this port after the
 * server ended, and could read everything that is stored for it, so there are two passes:
 *
 * - `now` is in the storage of this tab, so that a reload keeps it, and other open tabs give it to new ones. It is worth
 *   nothing once this server has ended.
 * - `later` lets this page in at the next server. It is in memory only.
 *
 * The key of a pass is sent only after a proof: when the page was loaded, which may have been from the browser's cache, when
 * the connection broke, and when the browser shows a page again that was left.
 */
export const isServerTrusted = signal(false);
/** False once the server refused this page: then only `continuo web` helps. */
export const hasAccess = signal(true);

const STORED = "continuo.page";
const ASK = "which key";
/** A tab in the background may be slow to answer. */
const ANSWER_MS = 2000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
const LATE_MS = 10_000;

/** Absent in tests that run without a browser. */
const storage = typeof sessionStorage === "undefined" ? undefined : sessionStorage;
const channel =
  storage === undefined || typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(STORED);
let now = storage?.getItem(STORED) ?? undefined;
let later: string | undefined;
/** Counts how often the server was distrusted: a proof that was begun before says nothing. */
let doubts = 0;
let proving: Promise<boolean> | undefined;

/** What requests carry; empty if this page has no access. Waits while the page is loaded. */
export async function pageKey(): Promise<string> {
  await firstAnswer;
  return isServerTrusted.value ? (now?.split(".")[0] ?? "") : "";
}

channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (data === ASK && now !== undefined && isServerTrusted.value) channel.postMessage({ key: now });
});

/** The key that another tab has; undefined if none answers. */
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

/** Something else may listen there now. Asks until the server has proved itself again. */
export function distrustServer(): void {
  if (storage === undefined) return;
  doubts += 1;
  isServerTrusted.value = false;
  void provedServer();
}

/** Resolves once the server has proved itself; with false if it does not know this page. */
export function provedServer(): Promise<boolean> {
  if (isServerTrusted.value) return Promise.resolve(true);
  proving ??= prove().finally(() => {
    proving = undefined;
  });
  return proving;
}

/** Whoever loads data waits for the first answer; if there is none, they say so. */
const { promise: firstAnswer, resolve: answered } = Promise.withResolvers<void>();

async function prove(): Promise<boolean> {
  let hasAskedTabs = false;
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    const begun = doubts;
    let result = await askForPasses(now);
    if (result === "refused" && later !== undefined) result = await askForPasses(later);
    if (result === "proved" && begun !== doubts) continue;
    // A page that was let in once takes no other tab's key: that tab may show what listens there now.
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

/** `refused`: the server does not know this page; `unknown`: nobody answers, or somebody else. */
async function askForPasses(own: string | undefined): Promise<"proved" | "refused" | "unknown"> {
  const [key = "", secret = ""] = own?.split(".") ?? [];
  // What has taken over this page's requests would hear the key.
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

/** As the server writes bytes: base64url without padding. */
function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Loads another file of the page's code. While the server is away that waits: a file from whatever has its port would run
 * inside this page.
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
