import { loadHistory } from "../hosts/load-history.ts";
import type { Pi } from "../hosts/pi/api.ts";
import { wire } from "../hosts/pi/extension.ts";
import { SOURCES } from "../sources/index.ts";
import { OFFERS } from "../sources/offers.ts";
import { TOOLS } from "../sources/tools.ts";

/** What pi loads. It calls this again for every session that replaces another, so nothing is shared between them. */
export default function continuo(pi: Pi): void {
  wire(pi, {
    sources: SOURCES,
    tools: TOOLS,
    offers: OFFERS,
    history: loadHistory,
    env: process.env,
    now: Date.now,
  });
}
