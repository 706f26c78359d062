import type { Span } from "./spans.ts";
import { isPlaceholder, isRandom } from "./values.ts";

const LONGEST = 600;
const STOP = /[\s"'`<>\\^]/;
const PORT_AND_PATH = /^\d{0,5}(?:[/?#]|$)/;

/** Passwords in URLs: `scheme://user:password@host`. The user may be missing, and the password may contain a slash. */
export function findInAddresses(text: string, spans: Span[]): void {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const begin = at + 3;
    const window = text.slice(begin, begin + LONGEST);
    if (!window.includes("@")) continue;
    const stop = window.search(STOP);
    const address = stop < 0 ? window : window.slice(0, stop);
    const path = address.search(/[/?#]/);
    const authority = path < 0 ? address : address.slice(0, path);
    let end = authority.lastIndexOf("@");
    const colon = address.indexOf(":");
    // There is no `@` before the first slash. The slash may be part of the password, unless a port precedes it.
    if (end < 0 && colon >= 0 && colon < authority.length && !PORT_AND_PATH.test(address.slice(colon + 1))) {
      end = address.indexOf("@", colon);
      if (end >= 0 && !/^[\w[]/.test(address.slice(end + 1))) end = -1;
    }
    if (end <= 0) continue;
    if (colon >= 0 && colon < end) {
      const password = address.slice(colon + 1, end);
      // `postgres:postgres` is an example or a default; `user:pass` and single letters are placeholders.
      if (
        password.length > 0 &&
        !isPlaceholder(password) &&
        !/^[a-z]{1,3}$/.test(password) &&
        password !== address.slice(0, colon)
      )
        spans.push({ from: begin + colon + 1, to: begin + end, kind: "password" });
    } else if (end >= 16 && isRandom(address.slice(0, end))) {
      spans.push({ from: begin, to: begin + end, kind: "token" });
    }
  }
}

/** `user:password@host` without a scheme. The password must not look like a version, tag or scope, and the host must be valid. */
export function findLogins(text: string, spans: Span[]): void {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const before = text.slice(Math.max(0, at - 100), at);
    const found = /(?:^|[\s"'`(=])[A-Za-z][\w.-]{0,30}:([^\s:@/"'`(){}<>$]{6,60})$/.exec(before)?.[1];
    if (found === undefined || isPlaceholder(found) || !/\d/.test(found) || !/[A-Za-z]/.test(found)) continue;
    if (!/[!#%^&*]/.test(found) && !(isRandom(found) && /[A-Z]/.test(found))) continue;
    if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z][\w-]*(?:\.[\w-]+)+)/.test(text.slice(at + 1, at + 80)))
      continue;
    spans.push({ from: at - found.length, to: at, kind: "password" });
  }
}
