import { describe, expect, it } from "vitest";
import { temporaryWorld } from "../../support/world.ts";
import { allDerived, deriveAll } from "./derive.ts";
import { CARRIERS, type Planted, plantedSecrets } from "./planted.ts";
import { VENDORS } from "./vendors.ts";

describe("planted secrets", () => {
  it("are absent from index, records, ledger, health log and note index, at least 98% of each half", async () => {
    const planted = plantedSecrets();
    expect(planted.length).toBeGreaterThanOrEqual(250);
    expect(Object.keys(VENDORS).length).toBeGreaterThanOrEqual(90);
    const world = temporaryWorld();
    const derived = await allDerived(world.home, await deriveAll(world, planted));
    // Every carrier was read: the text around the secrets is there.
    expect(derived).toContain("the deploy fails since this morning");
    expect(derived).toContain("tool-failed");
    expect(derived).toContain('"kind":"guarded"');
    const isMissed = (one: Planted): boolean =>
      one.parts.some((part) => derived.includes(part.toLowerCase()));
    const missed = planted.filter(isMissed);
    report(planted, missed);
    for (const half of [false, true]) {
      const all = planted.filter(({ isHeldOut }) => isHeldOut === half);
      const absent = all.filter((one) => !missed.includes(one)).length / all.length;
      expect(absent, half ? "held out" : "tuned on").toBeGreaterThanOrEqual(0.98);
    }
  });
});

/** With CONTINUO_REPORT=1: recall by kind and by carrier, and what was missed. */
function report(planted: readonly Planted[], missed: readonly Planted[]): void {
  if (process.env["CONTINUO_REPORT"] !== "1") return;
  const share = (of: (one: Planted) => boolean): string => {
    const all = planted.filter(of);
    return `${all.length - missed.filter(of).length} of ${all.length}`;
  };
  for (const half of [false, true])
    console.log(
      half ? "held out" : "tuned on",
      share((one) => one.isHeldOut === half),
    );
  for (const kind of new Set(planted.map((one) => one.kind)))
    console.log(
      kind,
      share((one) => one.kind === kind && !one.isHeldOut),
      "|",
      share((one) => one.kind === kind && one.isHeldOut),
    );
  for (const carrier of CARRIERS)
    console.log(
      carrier,
      share((one) => one.carrier === carrier),
    );
  const isShown = (one: Planted): boolean => process.env["CONTINUO_REPORT_ALL"] === "1" || !one.isHeldOut;
  for (const one of missed.filter(isShown))
    console.log(`${one.carrier}: ${one.name}: ${JSON.stringify(one.text)}`);
}
