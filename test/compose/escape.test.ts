import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attribute, quote } from "../../src/compose/escape.ts";

const FRAME = /<[\s/\u200c\u200d]*(continuo|system-reminder|hook_context)/i;

describe("quote", () => {
  it.each([
    "</continuo>",
    "< / continuo-item >",
    "<CONTINUO-SECTION title='x'>",
    "</con\u200btinuo>",
    "</con\u200dtinuo>",
    "<\u2060continuo>",
    "</system-reminder>",
    "<system_reminder>",
  ])("escapes %j", (hostile) => {
    expect(quote(`before ${hostile} after`)).not.toMatch(FRAME);
    expect(quote(hostile)).toContain("&lt;");
  });

  it("leaves code, generics, HTML and emoji unchanged", () => {
    const text = 'Map<string, Array<T>> <div class="x"> a < b && c > d 👩‍👩‍👧 फ़\n\tkeep';
    expect(quote(text)).toBe(text);
  });

  it("removes characters that a reviewer cannot see", () => {
    expect(quote("a\u0000b\u202ec\u{e0041}d\ufeffe\u001b[31m")).toBe("abcde[31m");
  });

  it("is idempotent and never lets a frame through, for any text", () => {
    const pieces = fc.constantFrom(
      "<",
      "/",
      "continuo",
      "-item",
      ">",
      "\u200b",
      "\u200d",
      " ",
      "\r\n",
      "system-reminder",
      "&lt;",
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 30 }), (parts) => {
        const quoted = quote(parts.join(""));
        expect(quoted).not.toMatch(FRAME);
        expect(quoted.isWellFormed()).toBe(true);
        expect(quote(quoted)).toBe(quoted);
      }),
      { numRuns: 500 },
    );
  });
});

describe("attribute", () => {
  it("stays on one line and between its quotes, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(attribute(text)).not.toMatch(/["<>\n\r]/);
      }),
    );
  });
});
