import type { Session } from "../../../moments/types.ts";
import { type Checked, together } from "./checked.ts";

/**
 * What was found in a call after the time for it was over. A process that lives on tells it at the session's next step. A
 * hook process has ended by then: the health log says that the rules were late.
 */
const late = new Map<string, Checked>();

/** More sessions than one process has at a time. */
const MAX_SESSIONS = 20;

export function keepLate(session: Session, checked: Checked): void {
  const key = keyOf(session);
  late.set(key, together(late.get(key) ?? {}, checked));
  for (const oldest of late.keys()) if (late.size > MAX_SESSIONS) late.delete(oldest);
}

export function takeLate(session: Session): Checked {
  if (late.size === 0) return {};
  const key = keyOf(session);
  const found = late.get(key) ?? {};
  late.delete(key);
  return found;
}

function keyOf({ host, id }: Session): string {
  return JSON.stringify([host, id]);
}
