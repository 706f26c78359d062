import { expect, it } from "vitest";
import { stateText } from "../../../../src/cli/commands/welcome/texts.ts";

it("the second start says what is new since the first one, and when that was", () => {
  const now = Date.parse("2026-11-18T12:00:00Z");
  const found = { agents: [], sessions: 3, rules: { project: 1, own: 0 }, read: [], vaults: [] };
  const seen = { welcomedAt: now - 6 * 60_000, sessions: 1, notes: 0 };
  const text = stateText({ env: {}, now: () => now }, found, seen, 3);
  expect(text).toContain("  New        2 sessions since you last ran this (6 min ago)");
});
