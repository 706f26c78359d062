import { createHash } from "node:crypto";
import { isSame, newSecret, proofOf } from "./control.ts";
import type { KeptPage } from "./kept-access.ts";

/**
 * Who may use the server: whoever opened a link with a one-time token. From then on the browser has a cookie, and the page
 * a key. Browsers send a cookie to every port of a machine, so that other programs may get it; the key never leaves the
 * page but in requests to this server. Only hashes are kept.
 */
export interface SignIn {
  /** A token for one link. It works once, within ten minutes. */
  newToken(): string;
  /** Uses a token up. Undefined if it is unknown, used or too old. */
  redeem(token: string): { readonly cookie: string; readonly key: string } | undefined;
  /** A short name of the cookie's owner, for limits; undefined if the cookie is not valid. */
  ownerOf(cookie: string): string | undefined;
  /** Whether the key belongs to the cookie. */
  isPage(cookie: string, key: string): boolean;
  /** Lets in a page that had access before the server was restarted, or lost its connection. */
  again(asked: AskedAgain): { readonly cookie: string; readonly proof: string } | undefined;
}

/**
 * How an open page comes back. It does not send its key, because something else may listen on this port by now: both sides
 * prove that they know it. The origin is part of the proof, so that nobody can pass it on to a server on another port.
 */
export interface AskedAgain {
  readonly id: string;
  readonly origin: string;
  readonly nonce: string;
  readonly proof: string;
}

const TOKEN_LIFE_MS = 10 * 60_000;
/** Nobody has more links open at once; the oldest ends. */
const MOST_TOKENS = 32;
const MOST_COOKIES = 256;
const MOST_PAGES = 64;
const PAGE_LIFE_MS = 24 * 60 * 60_000;

/** `given` are the pages of the server before this one; `keep` is called when one is added. */
export function createSignIn(
  now: () => number,
  given: Readonly<Record<string, KeptPage>> = {},
  keep: (pages: Readonly<Record<string, KeptPage>>) => void = () => undefined,
): SignIn {
  const tokens = new Map<string, number>();
  const pages = new Map(Object.entries(given));
  /** Hashes of cookies, each with the page that it belongs to. */
  const cookies = new Map<string, string>();
  const newCookie = (page: string): string => {
    const cookie = newSecret();
    cookies.set(hash(cookie), page);
    keepNewest(cookies, MOST_COOKIES);
    return cookie;
  };
  return {
    newToken() {
      const token = newSecret();
      tokens.set(hash(token), now() + TOKEN_LIFE_MS);
      keepNewest(tokens, MOST_TOKENS);
      return token;
    },
    redeem(token) {
      const until = tokens.get(hash(token));
      tokens.delete(hash(token));
      if (until === undefined || now() > until) return undefined;
      const key = newSecret();
      for (const [old, page] of pages) if (now() > page.until) pages.delete(old);
      pages.set(hash(key), { again: hash(`again ${key}`), until: now() + PAGE_LIFE_MS });
      keepNewest(pages, MOST_PAGES);
      keep(Object.fromEntries(pages));
      return { cookie: newCookie(hash(key)), key };
    },
    ownerOf: (cookie) => cookies.get(hash(cookie)),
    isPage: (cookie, key) => key !== "" && isSame(cookies.get(hash(cookie)) ?? "", hash(key)),
    again({ id, origin, nonce, proof }) {
      const page = pages.get(id);
      if (page === undefined || now() > page.until) return undefined;
      if (!isSame(proof, proofOf(page.again, "again", origin, nonce))) return undefined;
      return { cookie: newCookie(id), proof: proofOf(page.again, "answer", origin, nonce) };
    },
  };
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

/** Maps keep the order in which entries were added. */
function keepNewest(kept: Map<string, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
