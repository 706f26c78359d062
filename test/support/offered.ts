import { loadOffers } from "../../src/moments/load-offers.ts";
import { MODULES } from "../../src/sources/index.ts";

/** What all sources offer: `tools`, `prompts`, `resources` and `offers`. */
export const OFFERED = await loadOffers(MODULES);
