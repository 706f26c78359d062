import type { SessionKey } from "../../../sources/sessions/session.ts";
import type { Web } from "../web.ts";

const begun = new WeakMap<Web, Set<string>>();
const nameOf = ({ host, id }: SessionKey): string => `${host} ${id}`;

/** A chat's session is known from its start, because its page opens before its agent or a hook has written anything. */
export function beganHere(web: Web, session: SessionKey): void {
  begun.set(web, (begun.get(web) ?? new Set()).add(nameOf(session)));
}

export function hasBegunHere(web: Web, session: SessionKey): boolean {
  return begun.get(web)?.has(nameOf(session)) === true;
}
