import { signal } from "@preact/signals";

/**
 * The key that the server gave this page when it was opened by a link. Every request carries it. It is in the storage of
 * this tab, so that a reload keeps it, and other open tabs give it to new ones.
 *
 * When the server ends, something else may listen on its port. Then the key is taken out of the storage and not sent, until
 * the server has proved that it knows it.
 */
export const isServerTrusted = signal(true);

const STORED = "continuo.page";
const ASK = "which key";
/** A tab in the background may be slow to answer. */
const ANSWER_MS = 2000;

/** Absent in tests that run without a browser. */
const storage = typeof sessionStorage === "undefined" ? undefined : sessionStorage;
let key = storage?.getItem(STORED) ?? undefined;
const channel =
  storage === undefined || typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(STORED);

/** The page's key; empty if neither this tab nor another one has it. */
export const pageKey = (): Promise<string> => known;

const known: Promise<string> =
  key === undefined && storage !== undefined ? askTabs() : Promise.resolve(key ?? "");

channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (data === ASK && key !== undefined && isServerTrusted.value) channel.postMessage({ key });
});

function askTabs(): Promise<string> {
  return new Promise((resolve) => {
    const finish = (found: string) => {
      if (found !== "") {
        key = found;
        storage?.setItem(STORED, found);
      }
      resolve(found);
    };
    setTimeout(() => finish(key ?? ""), ANSWER_MS);
    channel?.addEventListener("message", ({ data }: MessageEvent<{ key?: string } | string>) => {
      if (typeof data === "object" && data.key !== undefined && key === undefined) finish(data.key);
    });
    channel?.postMessage(ASK);
  });
}

// The browser ends the page's connections when the page is left, which says nothing about the server.
let isLeaving = false;
if (storage !== undefined) {
  addEventListener("pagehide", () => {
    isLeaving = true;
  });
  addEventListener("pageshow", () => {
    isLeaving = false;
  });
}

/** The connection broke. */
export function distrustServer(): void {
  if (isLeaving) return;
  isServerTrusted.value = false;
  storage?.removeItem(STORED);
}

/**
 * Asks whoever listens to prove that it is our server, and proves the same to it. `refused`: it does not know this page;
 * `unknown`: nobody answers, or somebody else.
 */
export async function proveAgain(): Promise<"proved" | "refused" | "unknown"> {
  const own = await known;
  if (own === "") return "refused";
  const [id, secret] = await Promise.all([hash(own), hash(`again ${own}`)]);
  const nonce = encode(crypto.getRandomValues(new Uint8Array(16)));
  const proof = await proofOf(secret, "again", location.origin, nonce);
  try {
    const response = await fetch("/api/again", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, nonce, proof }),
    });
    if (response.status === 401) return "refused";
    const answer = (await response.json()) as { readonly proof?: unknown };
    if (answer.proof !== (await proofOf(secret, "answer", location.origin, nonce))) return "unknown";
  } catch {
    return "unknown";
  }
  storage?.setItem(STORED, own);
  isServerTrusted.value = true;
  return "proved";
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
