import { join } from "node:path";
import type { Home } from "../../../store/home.ts";

/** Separate from the schema: whether there is an index is asked without the code that makes one. */
export function sessionsIndexPath(home: Home): string {
  return join(home.root, "sessions.db");
}
