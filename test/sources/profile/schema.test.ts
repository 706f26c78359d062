import { describe, expect, it } from "vitest";
import { validateSeed, withDefaults } from "../../../src/sources/profile/file/schema.ts";
import { exampleSeed, learning, proposal } from "./seeds.ts";

/** The errors of the seed after one change. */
function withChange(path: string, value: unknown): { path: string; code: string }[] {
  const stats = { accepted: 1, rejected: 0 };
  const seed = exampleSeed({
    learned: { patterns: [learning("l1", "x")] },
    state: {
      lastSessionId: "s",
      lastSessionAt: "2026-02-01T10:00:00.123Z",
      checkpointRef: "ckpt-1",
      proposals: [
        proposal("p1", "y", { method: "regex", confidence: 0.5, decidedAt: "2026-02-01T10:00:00Z" }),
      ],
      extractionStats: {
        ...stats,
        byType: { pattern: stats, insight: stats, self_knowledge: stats },
        confidenceSum: stats,
        confidenceCount: stats,
      },
    },
  });
  const copy = JSON.parse(JSON.stringify(seed)) as Record<string, unknown>;
  const steps = path.split(".");
  let node = copy;
  for (const step of steps.slice(0, -1)) node = node[step] as Record<string, unknown>;
  const last = steps.at(-1) ?? "";
  if (value === undefined) delete node[last];
  else node[last] = value;
  const checked = validateSeed(copy);
  return checked.ok ? [] : checked.errors.map(({ path: where, code }) => ({ path: where, code }));
}

describe("validateSeed", () => {
  it.each([
    ["version", "1.9.12"],
    ["identity.voiceId", ""],
    ["identity.preferences.responseStyle", "concise"],
    ["identity.preferences.timezone", ""],
    ["learned.patterns.0.confirmedAt", undefined],
    ["learned.patterns.0.confirmed", false],
    ["learned.patterns.0.tags", ["a"]],
    ["learned.patterns.0.extractedAt", "2024-02-29T23:59:59Z"],
    ["state.lastSessionAt", undefined],
    ["state.extractionStats", undefined],
    ["state.proposals.0.type", "self_knowledge"],
    ["state.proposals.0.method", "acr"],
    ["state.proposals.0.confidence", undefined],
    ["state.extractionStats.confidenceSum.accepted", 0.75],
  ])("accepts %s as %j", (path, value) => {
    expect(withChange(path, value)).toEqual([]);
  });

  it.each([
    ["version", "2.0.0", "$.version", "version_mismatch"],
    ["version", "0.9.0", "$.version", "version_mismatch"],
    ["version", "1.0.0-beta", "$.version", "invalid_format"],
    ["version", 1, "$.version", "invalid_type"],
    ["identity", undefined, "$.identity", "missing_field"],
    ["identity.principalName", "", "$.identity.principalName", "too_small"],
    ["identity.aiName", undefined, "$.identity.aiName", "missing_field"],
    ["identity.preferences.timezone", 1, "$.identity.preferences.timezone", "invalid_type"],
    [
      "identity.preferences.responseStyle",
      "terse",
      "$.identity.preferences.responseStyle",
      "invalid_enum_value",
    ],
    ["learned.insights", {}, "$.learned.insights", "invalid_type"],
    ["learned.patterns.0.content", "", "$.learned.patterns[0].content", "too_small"],
    ["learned.patterns.0.tags", undefined, "$.learned.patterns[0].tags", "missing_field"],
    ["learned.patterns.0.tags", [1], "$.learned.patterns[0].tags[0]", "invalid_type"],
    ["learned.patterns.0.confirmed", "yes", "$.learned.patterns[0].confirmed", "invalid_type"],
    ["learned.patterns.0.extractedAt", "2026-02-01", "$.learned.patterns[0].extractedAt", "invalid_format"],
    [
      "learned.patterns.0.confirmedAt",
      "2026-02-01T10:00:00+01:00",
      "$.learned.patterns[0].confirmedAt",
      "invalid_format",
    ],
    ["state.lastSessionAt", "2026-02-30T10:00:00Z", "$.state.lastSessionAt", "invalid_format"],
    ["state.lastSessionAt", "2026-02-01T24:00:00Z", "$.state.lastSessionAt", "invalid_format"],
    ["state.lastSessionAt", null, "$.state.lastSessionAt", "invalid_type"],
    ["state.activeProjects", ["a", 2], "$.state.activeProjects[1]", "invalid_type"],
    ["state.proposals.0.type", "selfKnowledge", "$.state.proposals[0].type", "invalid_enum_value"],
    ["state.proposals.0.status", "open", "$.state.proposals[0].status", "invalid_enum_value"],
    ["state.proposals.0.method", "model", "$.state.proposals[0].method", "invalid_enum_value"],
    ["state.proposals.0.source", "", "$.state.proposals[0].source", "too_small"],
    ["state.extractionStats.accepted", 1.5, "$.state.extractionStats.accepted", "invalid_type"],
    [
      "state.extractionStats.byType.insight",
      undefined,
      "$.state.extractionStats.byType.insight",
      "missing_field",
    ],
  ])("refuses %s as %j", (path, value, where, code) => {
    expect(withChange(path, value)).toEqual([{ path: where, code }]);
  });

  it("names every wrong field", () => {
    const checked = validateSeed({
      ...exampleSeed(),
      learned: 1,
      state: { proposals: [1], activeProjects: [] },
    });
    expect(checked).toMatchObject({
      ok: false,
      errors: [{ path: "$.learned" }, { path: "$.state.proposals[0]" }],
    });
  });

  it("returns the same object, with a warning for unknown top-level keys", () => {
    const seed = { ...exampleSeed(), extra: { deep: 1 } };
    const checked = validateSeed(seed);
    expect(checked).toEqual({
      ok: true,
      config: seed,
      warnings: ['Unknown top-level key: "extra" (may be from a newer schema version)'],
    });
    expect(checked.ok && checked.config).toBe(seed);
  });
});

describe("withDefaults", () => {
  it("adds what is missing and keeps what is there, empty lists and unknown keys too", () => {
    const filled = withDefaults({
      identity: { principalName: "Ann", mood: "fine" },
      learned: { patterns: [] },
      other: 1,
    });
    expect(filled).toEqual({
      version: "1.0.0",
      identity: {
        principalName: "Ann",
        mood: "fine",
        aiName: "PAI",
        catchphrase: "PAI here, ready to go.",
        voiceId: "default",
        preferences: { responseStyle: "adaptive", timezone: "UTC", locale: "en-US" },
      },
      learned: { patterns: [], insights: [], selfKnowledge: [] },
      state: { proposals: [], activeProjects: [] },
      other: 1,
    });
  });

  it("returns a complete seed unchanged", () => {
    const seed = exampleSeed();
    expect(withDefaults(seed)).toBe(seed);
  });
});
