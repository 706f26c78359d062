import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../../src/compose/hash.ts";

it("sha256 is the SHA-256 of node:crypto for any text, at every length around a block", () => {
  const expected = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
  for (let length = 0; length < 200; length++)
    expect(sha256("é".repeat(length))).toBe(expected("é".repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      expect(sha256(text)).toBe(expected(text));
    }),
  );
});
