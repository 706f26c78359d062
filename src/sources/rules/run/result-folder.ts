import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../../../moments/types.ts";
import { fileNameFor, type Home } from "../../../store/home.ts";

/** The session that gets the results. */
export type Told = Pick<Session, "host" | "id">;

/** Where the results of a session's runs are. */
export function resultFolder(home: Pick<Home, "root">, { host, id }: Told): string {
  return join(home.root, "runs", "results", fileNameFor(host), fileNameFor(id));
}

/**
 * Whether there may be results. Called at every prompt and tool call, so it loads nothing else. A broken home has none.
 */
export function hasResults(home: Pick<Home, "root">, session: Told): boolean {
  return existsSync(resultFolder(home, session));
}
