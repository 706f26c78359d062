import type { Pi } from "../hosts/pi/api.ts";
import { wire } from "../hosts/pi/extension.ts";
import { recordFailure } from "../hosts/shared/follow.ts";
import { loadParts } from "./parts.ts";

/**
 * Called by pi, which waits for it. pi calls it again for every session that replaces another, so nothing is shared
 * between calls.
 */
export default async function continuo(pi: Pi): Promise<void> {
  try {
    wire(pi, await loadParts());
  } catch (error) {
    recordFailure(process.env, "pi start", error, Date.now()); // pi goes on without Continuo
  }
}
