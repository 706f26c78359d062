import { loadOffers } from "../../src/moments/offers/offers.ts";
import { MODULES } from "../../src/sources/index.ts";

/** What all sources offer: `tools`, `prompts`, `resources` and `offers`. */
export const OFFERED = await loadOffers(MODULES);
