import { pendingFailures } from "../../store/health.ts";
import type { Offer, OfferContext } from "../ports/offer.ts";
import { sessionLedger } from "../state/ledger.ts";

/** The offer about deliveries of all sources. */
export const deliveries: Offer = {
  commands: [{ name: "continuo-why", description: "What Continuo added to this session, and why", run: why }],
  status,
};

/** A short list for the user at the prompt; `continuo sessions receipt` shows more. */
function why(_argument: string, { home, session }: OfferContext): string {
  const delivered = sessionLedger(home, session).flatMap((line) => (line.kind === "delivered" ? [line] : []));
  if (delivered.length === 0) return "Continuo has delivered nothing to this session.";
  const tokens = delivered.reduce((sum, line) => sum + line.tokens, 0);
  return [
    `Continuo: ${delivered.length} ${delivered.length === 1 ? "delivery" : "deliveries"}, ${tokens} tokens`,
    ...delivered.flatMap((line) => [
      `${line.what}, ${line.tokens} tokens`,
      ...line.items.map((item) => `  ${item.title}: ${item.reason}`),
    ]),
  ].join("\n");
}

/** A session rarely spans more than two of the ledger's files of 4 MB. */
const FILES = 2;

function status({ home, session }: OfferContext): string {
  const tokens = sessionLedger(home, session, FILES).reduce(
    (sum, line) => sum + (line.kind === "delivered" ? line.tokens : 0),
    0,
  );
  const failures = pendingFailures(home).length;
  return [
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
    ...(failures === 0
      ? []
      : [`${failures} ${failures === 1 ? "failure" : "failures"}, see continuo doctor`]),
  ].join(", ");
}
