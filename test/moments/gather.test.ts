import { describe, expect, it } from "vitest";
import { sourceLimit } from "../../src/moments/gather.ts";
import { puppet } from "../support/engine.ts";
import { configFor } from "../support/world.ts";

describe("a source's deadline", () => {
  it("is the configured one, unless the source needs longer with the user's settings", () => {
    const { source } = puppet();
    const config = configFor([source], { sourceDeadlineMs: 800 });
    expect(sourceLimit(source, config)).toBe(800);
    expect(sourceLimit({ ...source, patienceMs: () => 5000 }, config)).toBe(5000);
    expect(sourceLimit({ ...source, patienceMs: () => 10 }, config)).toBe(800);
  });
});
