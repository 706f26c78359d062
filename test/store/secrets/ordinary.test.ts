import { describe, expect, it } from "vitest";
import { redact } from "../../../src/store/redact.ts";
import { ordinaryLines } from "./ordinary.ts";

describe("ordinary lines", () => {
  it("stay unchanged, at least 99.5% of them", () => {
    const lines = ordinaryLines();
    expect(lines.length).toBeGreaterThanOrEqual(2000);
    const changed = lines.filter(({ line }) => redact(line) !== line);
    if (process.env["CONTINUO_REPORT"] === "1") {
      for (const kind of new Set(lines.map((one) => one.kind))) {
        const of = (list: typeof lines): number => list.filter((one) => one.kind === kind).length;
        console.log(`${kind}: ${of(changed)} of ${of(lines)}`);
      }
      for (const { kind, line } of changed) console.log(`${kind}: ${redact(line)}`);
    }
    expect(changed.length / lines.length).toBeLessThanOrEqual(0.005);
  });

  it("stay unchanged when they are joined", () => {
    const lines = ordinaryLines(6).map(({ line }) => line);
    const marks =
      redact(lines.join("\n")).split("[redacted:").length - lines.join("\n").split("[redacted:").length;
    expect(marks / lines.length).toBeLessThanOrEqual(0.005);
  });
});
