import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastLines } from "../../../../src/sources/rules/run/run-command.ts";

const ESC = "\u001b";

describe("the last lines of an output", () => {
  it("have no colours, no control characters and no empty lines", () => {
    const output = `${ESC}[31mred${ESC}[0m\r\n\n${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\\u0007\u202eend\n`;
    const lines = lastLines(output, false);
    expect(lines).toContain("red\n");
    expect(lines).toContain("link");
    expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it("show the last state of a line that was rewritten", () => {
    expect(lastLines("10%\r50%\r100%\r\nDone", false)).toBe("100%\nDone");
  });

  it("have no secrets, also not half of one at the cut", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(lastLines(`token ${secret}`, false)).not.toContain(secret);
    expect(lastLines(`${secret.slice(9)} x\nkept`, true)).toBe("kept");
  });

  it("are at most 20 and 2,000 characters, whatever was printed", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 })), fc.boolean(), (lines, isCut) => {
        const last = lastLines(lines.join("\n"), isCut);
        expect(last.length).toBeLessThanOrEqual(2000);
        expect(last.split("\n").length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 40 },
    );
    expect(lastLines("x".repeat(100_000), false)).toBe(`${"x".repeat(1999)}…`);
    const many = Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\n");
    expect(lastLines(many, false)).toMatch(/^line 80\n(?:line \d+\n){18}line 99$/);
  });
});
