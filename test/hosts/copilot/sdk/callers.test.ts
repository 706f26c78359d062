import { describe, expect, it } from "vitest";
import { createCallers } from "../../../../src/hosts/copilot/sdk/tools.ts";

describe("who calls a tool", () => {
  it("is known once the event has come, also when it comes after the call", async () => {
    const callers = createCallers();
    const asked = callers.of("1");
    callers.began("1", "child");
    expect(await asked).toBe("child");
    callers.began("2", undefined);
    expect(await callers.of("2")).toBeUndefined();
  });

  it("is the session when no event comes", async () => {
    expect(await createCallers(5).of("1")).toBeUndefined();
  });
});
