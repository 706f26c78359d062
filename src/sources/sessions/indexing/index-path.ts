import { join } from "node:path";
import type { Home } from "../../../store/home.ts";

/** Separate from the schema, so that checking for an index does not load the code that creates one. */
export function sessionsIndexPath(home: Home): string {
  return join(home.root, "sessions.db");
}
