import type { Pi } from "../hosts/pi/api.ts";
import { wire } from "../hosts/pi/extension.ts";
import { loadParts } from "./parts.ts";

/** What pi loads and waits for. It calls this again for every session that replaces another, so nothing is shared between them. */
export default async function continuo(pi: Pi): Promise<void> {
  wire(pi, await loadParts());
}
