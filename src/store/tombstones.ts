import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileNameFor, type Home } from "./home.ts";

/**
 * Where a session's tombstone is. With one, the session is never again read for people or models, even if the index is
 * rebuilt.
 */
export function tombstonePath({ root }: Pick<Home, "root">, session: { host: string; id: string }): string {
  return join(root, "sessions-meta", session.host, `${fileNameFor(session.id)}.forgotten`);
}

export function isForgotten(home: Pick<Home, "root">, session: { host: string; id: string }): boolean {
  return existsSync(tombstonePath(home, session));
}
