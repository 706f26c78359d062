import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * A frame without our origin has no cookie, so its files are asked for without one. Their address has a key instead, which
 * only a page that is signed in is told, one for each applet: an applet cannot ask for the files of another.
 */
const secrets = new WeakMap<object, Buffer>();

export function frameAddress(web: object, slug: string): string {
  return `/applets/${slug}/${keyOf(web, slug)}/`;
}

export function isFrameKey(web: object, slug: string, key: string): boolean {
  const right = Buffer.from(keyOf(web, slug));
  const given = Buffer.from(key);
  return given.length === right.length && timingSafeEqual(given, right);
}

function keyOf(web: object, slug: string): string {
  const secret = secrets.get(web) ?? randomBytes(32);
  secrets.set(web, secret);
  return createHmac("sha256", secret).update(slug).digest("base64url").slice(0, 32);
}
