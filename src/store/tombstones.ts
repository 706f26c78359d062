import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileNameFor, type Home } from "./home.ts";

/** A tombstone: its session is never read again for people or models, whatever happens to the index. */
export function tombstonePath({ root }: Pick<Home, "root">, session: { host: string; id: string }): string {
  return join(root, "sessions-meta", session.host, `${fileNameFor(session.id)}.forgotten`);
}

export function isForgotten(home: Pick<Home, "root">, session: { host: string; id: string }): boolean {
  return existsSync(tombstonePath(home, session));
}
