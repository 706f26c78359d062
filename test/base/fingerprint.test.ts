import { expect, it } from "vitest";
import { fingerprint, fingerprintNumber } from "../../src/base/fingerprint.ts";

it("distinguishes a hundred thousand similar texts, and every one-character edit", () => {
  const seen = new Set<string>();
  for (let i = 0; i < 100_000; i++) seen.add(fingerprint(`Rule ${i}: do the right thing.`));
  const base = "Prices are integers in cents. ".repeat(20);
  for (let i = 0; i < base.length; i++)
    seen.add(fingerprint(`${base.slice(0, i)}\u0001${base.slice(i + 1)}`));
  expect(seen.size).toBe(100_000 + base.length);
});

it("uses all its bits", () => {
  const ones = Array<number>(64).fill(0);
  const n = 4000;
  for (let i = 0; i < n; i++) {
    const bits = BigInt(`0x${fingerprint(`text ${i}`)}`);
    for (let bit = 0; bit < 64; bit++) if ((bits >> BigInt(bit)) & 1n) ones[bit]!++;
  }
  for (const count of ones) expect(Math.abs(count - n / 2)).toBeLessThan(n * 0.05);
});

it("is the same on every machine", () => {
  expect(fingerprint("")).toMatch(/^[0-9a-f]{16}$/);
  expect(fingerprint("continuo")).toBe(fingerprint(["conti", "nuo"].join("")));
});

it("as a number is its first 48 bits", () => {
  for (let i = 0; i < 1000; i++)
    expect(fingerprintNumber(`turn ${i}`)).toBe(Number(`0x${fingerprint(`turn ${i}`).slice(0, 12)}`));
});
