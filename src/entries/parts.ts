import { loadHistory } from "../hosts/index.ts";
import type { Parts } from "../hosts/shared/in-process/base.ts";
import { loadOffers, type Offered } from "../moments/offers/offers.ts";
import { MODULES, SOURCES } from "../sources/index.ts";

/** Everything that sources and hosts register, for an entry point that needs more than answers to moments. */
export async function loadParts(): Promise<Parts & Offered> {
  const offered = await loadOffers(MODULES);
  return { ...offered, sources: SOURCES, history: loadHistory, env: process.env, now: Date.now };
}
