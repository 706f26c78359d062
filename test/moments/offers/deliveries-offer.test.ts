import { expect, it } from "vitest";
import { deliveries } from "../../../src/moments/offers/deliveries-offer.ts";
import type { OfferContext } from "../../../src/moments/ports/offer.ts";
import { appendLedger } from "../../../src/moments/state/ledger.ts";
import { failure, markReported, recordHealth } from "../../../src/store/health.ts";
import { callIn } from "../../support/engine.ts";
import { temporaryWorld } from "../../support/world.ts";

const [why] = deliveries.commands ?? [];

const prompt = (): OfferContext => callIn(temporaryWorld());

function deliver({ home, now }: OfferContext, host: string, session: string, tokens: number): void {
  const item = { source: "rules", key: "a.md", title: "a", reason: "always on", tokens } as const;
  const line = { kind: "delivered", what: "snapshot", tokens, fingerprint: "f", items: [item], dropped: [] };
  appendLedger(home, now, { host, session, project: "p", epoch: 1, ...line } as never);
}

it("counts and explains what was delivered to this session, and to no other", async () => {
  const at = prompt();
  expect(await deliveries.status?.(at)).toBe("");
  expect(await why?.run("", at)).toBe("Continuo has delivered nothing to this session.");
  deliver(at, "pi", "s1", 100);
  deliver(at, "pi", "s1", 20);
  deliver(at, "pi", "s10", 7);
  deliver(at, "opencode", "s1", 7);
  expect(await deliveries.status?.(at)).toBe("120 tokens");
  expect(await why?.run("", at)).toContain("2 deliveries, 120 tokens\nsnapshot, 100 tokens\n  a: always on");
});

it("shows failures until they are reported", async () => {
  const at = prompt();
  markReported(at.home, at.now - 1);
  recordHealth(at.home.logs, failure("pi", new Error("broken"), at.now));
  expect(await deliveries.status?.(at)).toBe("1 failure, see continuo doctor");
  markReported(at.home, at.now + 60_000);
  expect(await deliveries.status?.(at)).toBe("");
});
