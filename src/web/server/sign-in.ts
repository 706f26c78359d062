import { createHash } from "node:crypto";
import { isSame, newSecret, proofOf } from "./control.ts";
import type { KeptPage } from "./kept-access.ts";

/**
 * Controls who may use the server: the user who opened a link with a one-time token. From then on the browser has a
 * cookie, and the page has two passes. Browsers send a cookie to every port of a machine, so other programs may get it;
 * a page's key is sent only to a server that has proved itself.
 *
 * Another program that listens on this port later can read the page's storage. So the pass stored there, `now`, ends
 * with this server. The one that the next server accepts, `later`, exists only in the memory of open pages.
 */
export interface SignIn {
  /** A token for one link. Works once, within ten minutes. */
  newToken(): string;
  /** Consumes a token. Undefined if it is unknown, used or expired. */
  redeem(token: string): { readonly cookie: string; readonly now: Pass } | undefined;
  /** A short id of the cookie's owner, for rate limits; undefined if the cookie is invalid. */
  ownerOf(cookie: string): string | undefined;
  /** Whether the cookie and the key belong to this server. A browser has one cookie for all its pages. */
  isPage(cookie: string, key: string): boolean;
  /** Proves to a page that this is its server, and gives it access. The page may come from the previous server. */
  again(asked: AskedAgain): { readonly cookie: string; readonly proof: string } | undefined;
  /** The passes of the page with this key. */
  passes(key: string): { readonly now: string; readonly later?: string | undefined } | undefined;
}

/** The key is sent; the secret never is: only proofs are made with it. */
interface Pass {
  readonly key: string;
  readonly secret: string;
}

/**
 * A page asks for a proof before it sends its key, because another program may listen on this port by now. Both sides
 * prove that they know the secret. The origin is part of the proof, so that it cannot be relayed to a server on another
 * port.
 */
interface AskedAgain {
  readonly id: string;
  readonly origin: string;
  readonly nonce: string;
  readonly proof: string;
  /** The browser's cookie, which is kept if valid. */
  readonly cookie?: string | undefined;
}

interface Page extends KeptPage {
  /** The hash of the key that the next server accepts. */
  readonly id: string;
  /** Unknown after a restart, until an open page has sent it. */
  key?: string;
  now?: Pass;
}

const TOKEN_LIFE_MS = 10 * 60_000;
/** The most links that are open at once; then the oldest expires. */
const MOST_TOKENS = 32;
const MOST_COOKIES = 256;
const MOST_PAGES = 64;
const PAGE_LIFE_MS = 24 * 60 * 60_000;

/** `given`: the previous server's pages. `keep` is called when one is added. */
export function createSignIn(
  now: () => number,
  given: Readonly<Record<string, KeptPage>> = {},
  keep: (pages: Readonly<Record<string, KeptPage>>) => void = () => undefined,
): SignIn {
  const tokens = new Map<string, number>();
  /** The pages that the next server accepts, by the hash of their key for it. */
  const pages = new Map<string, Page>(Object.entries(given).map(([id, page]) => [id, { ...page, id }]));
  /** Pages by the hash of their key for this server. */
  const byKey = new Map<string, Page>();
  /** Hashes of cookies, with the page that each was made for. */
  const cookies = new Map<string, string>();
  const newCookie = (page: Page): string => {
    const cookie = newSecret();
    cookies.set(hash(cookie), page.id);
    keepNewest(cookies, MOST_COOKIES);
    return cookie;
  };
  const ownerOf = (cookie: string) => cookies.get(hash(cookie));
  const find = (id: string): Page | undefined => {
    const page = pages.get(id);
    return byKey.get(id) ?? (page !== undefined && now() <= page.until ? page : undefined);
  };
  const passOf = (page: Page): Pass => {
    page.now ??= { key: newSecret(), secret: newSecret() };
    byKey.set(hash(page.now.key), page);
    keepNewest(byKey, MOST_COOKIES);
    return page.now;
  };
  const newPage = (): Page => {
    const key = newSecret();
    const page = { id: hash(key), key, again: newSecret(), until: now() + PAGE_LIFE_MS };
    for (const [old, { until }] of pages) if (now() > until) pages.delete(old);
    pages.set(page.id, page);
    keepNewest(pages, MOST_PAGES);
    keep(Object.fromEntries([...pages].map(([id, { again, until }]) => [id, { again, until }])));
    return page;
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
      const page = newPage();
      return { cookie: newCookie(page), now: passOf(page) };
    },
    ownerOf,
    isPage: (cookie, key) => ownerOf(cookie) !== undefined && byKey.has(hash(key)),
    again({ id, origin, nonce, proof, cookie }) {
      const page = find(id);
      if (page === undefined) return undefined;
      const secret = page.id === id ? page.again : passOf(page).secret;
      if (!isSame(proof, proofOf(secret, "again", origin, nonce))) return undefined;
      return { cookie: cookie ?? newCookie(page), proof: proofOf(secret, "answer", origin, nonce) };
    },
    passes(key) {
      const page = find(hash(key));
      if (page === undefined) return undefined;
      if (page.id === hash(key)) page.key = key;
      const pass = passOf(page);
      return { now: `${pass.key}.${pass.secret}`, later: page.key && `${page.key}.${page.again}` };
    },
  };
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

/** Maps keep insertion order. */
function keepNewest(kept: Map<string, unknown>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
