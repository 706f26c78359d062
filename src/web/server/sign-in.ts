import { createHash, randomBytes } from "node:crypto";

/**
 * Who may use the server: whoever opened a link with a one-time token, and from then on has a cookie. Only hashes are
 * kept, so that comparing takes the same time for every wrong value, and a stored one signs nobody in.
 */
export interface SignIn {
  /** A token for one link. It works once, within ten minutes. */
  newToken(): string;
  /** Uses a token up. Returns the value of a new cookie; undefined if the token is unknown, used or too old. */
  redeem(token: string): string | undefined;
  /** A short name of the cookie's owner, for limits; undefined if the cookie is not valid. */
  ownerOf(cookie: string): string | undefined;
}

const TOKEN_LIFE_MS = 10 * 60_000;
/** Nobody has more links open at once; the oldest ends. */
const MOST_TOKENS = 32;
const MOST_COOKIES = 64;
const COOKIE_LIFE_MS = 7 * 24 * 60 * 60_000;

/** `given` are the cookies of the server before this one; `keep` is called when one is added. */
export function createSignIn(
  now: () => number,
  given: Readonly<Record<string, number>> = {},
  keep: (cookies: Readonly<Record<string, number>>) => void = () => undefined,
): SignIn {
  const tokens = new Map<string, number>();
  const cookies = new Map(Object.entries(given));
  return {
    newToken() {
      const token = randomBytes(32).toString("base64url");
      tokens.set(hash(token), now() + TOKEN_LIFE_MS);
      keepNewest(tokens, MOST_TOKENS);
      return token;
    },
    redeem(token) {
      const key = hash(token);
      const until = tokens.get(key);
      tokens.delete(key);
      if (until === undefined || now() > until) return undefined;
      const cookie = randomBytes(32).toString("base64url");
      for (const [old, until] of cookies) if (now() > until) cookies.delete(old);
      cookies.set(hash(cookie), now() + COOKIE_LIFE_MS);
      keepNewest(cookies, MOST_COOKIES);
      keep(Object.fromEntries(cookies));
      return cookie;
    },
    ownerOf(cookie) {
      const key = hash(cookie);
      return now() > (cookies.get(key) ?? 0) ? undefined : key;
    },
  };
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

/** Maps and sets keep the order in which entries were added. */
function keepNewest(
  kept: { readonly size: number; keys(): Iterable<string>; delete(key: string): boolean },
  most: number,
) {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
