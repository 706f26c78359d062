import { deliveries } from "../moments/deliveries-offer.ts";
import type { Offer } from "../moments/ports/offer.ts";
import { contextOffer } from "./context/offer.ts";
import { memoryOffer } from "./memory/ports/source.ts";
import { rulesOffer } from "./rules/source.ts";
import { sessionsOffer } from "./sessions/ports/offer.ts";

/** Everything that a person is offered at a prompt is registered here and nowhere else. Apart from sources: hooks need none. */
export const OFFERS: readonly Offer[] = [deliveries, contextOffer, memoryOffer, rulesOffer, sessionsOffer];
