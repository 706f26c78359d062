import { describe, expect, it } from "vitest";
import { nodeRefusal } from "../../scripts/node-refusal.mjs";

describe("an installation on an old Node", () => {
  it("is refused with the version that is needed", () => {
    expect(nodeRefusal("20.20.2", ">=22.19")).toContain(
      "needs Node 22.19 or newer, and this is Node 20.20.2",
    );
    expect(nodeRefusal("22.18.0", ">=22.19")).toBeDefined();
  });

  it("is not refused from the oldest version on that works", () => {
    for (const version of ["22.19.0", "22.20.1", "24.0.0", "26.1.0"])
      expect(nodeRefusal(version, ">=22.19")).toBeUndefined();
  });
});
