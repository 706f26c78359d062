import { describe, expect, it } from "vitest";
import { readContext, readRecent, readSearch } from "../../../../src/sources/notes/external/answers.ts";

const contract = {
  results: [{ uri: "memory://a", title: "A", score: 0.85, concepts: ["OpenCode"] }],
};

describe("the output of another memory program", () => {
  it("is read as the documented JSON", () => {
    expect(readSearch(JSON.stringify(contract))).toEqual(contract);
    expect(
      readRecent(
        '{"items":[{"uri":"memory://a","title":"A","modified":"2026-01-27T21:36:01-08:00","concepts":[]}]}',
      ),
    ).toEqual({
      items: [{ uri: "memory://a", title: "A", modified: "2026-01-28T05:36:01.000Z", concepts: [] }],
    });
    const context = {
      concept: "x",
      relatedConcepts: [{ name: "y", relationship: "provides", files: 5 }],
      fileReferences: ["memory://a"],
    };
    expect(readContext(JSON.stringify(context), "x")).toEqual(context);
  });

  it("is read as maenifold's JSON envelope, with its own names", () => {
    const data = {
      totalCount: 1,
      results: [{ title: "A", path: "memory://a", fusedScore: 0.5, snippet: "…" }],
    };
    expect(readSearch(JSON.stringify({ success: true, data, error: null }))).toEqual({
      results: [{ uri: "memory://a", title: "A", score: 0.5, concepts: [] }],
    });
    const direct = [{ Name: "y", CoOccurrenceCount: 3, Files: ["memory://a"] }];
    expect(readContext(JSON.stringify({ ConceptName: "x", DirectRelations: direct }), "x")).toEqual({
      concept: "x",
      relatedConcepts: [{ name: "y", relationship: "co-occurs-with", files: 3 }],
      fileReferences: ["memory://a"],
    });
  });

  it("is read as maenifold's text", () => {
    const hybrid = [
      "📄 **A title (with brackets)** (memory://tech/a)",
      "   📊 Scores - Fused: 0.032 | Text: 1.000 | Semantic: 0.500",
      "   📝 about [[SQLite]] and more",
      "",
      "📄 **B** (memory://b)",
      "   📊 Scores - Fused: 0,01 | Text: 0,5 | Semantic: 0",
      "💡 Next: read one of them",
    ].join("\n");
    expect(readSearch(hybrid)).toEqual({
      results: [
        { uri: "memory://tech/a", title: "A title (with brackets)", score: 0.032, concepts: ["SQLite"] },
        { uri: "memory://b", title: "B", score: 0.01, concepts: [] },
      ],
    });
    const recent = [
      "# Recent Activity",
      "",
      "**session-1769557000000-12345** (sequential)",
      "  Modified: 2026-01-27 21:36",
      "  Thoughts: 3",
      "  Status: active",
      '  First: "on [[compaction]]"   Last: "done"',
      "",
      "**some-note** (memory)",
      "  Modified: 2026-01-26 08:00",
      "  Title: Some Note",
    ].join("\r\n");
    expect(readRecent(recent)).toEqual({
      items: [
        {
          uri: "session-1769557000000-12345",
          title: "session-1769557000000-12345",
          modified: "2026-01-27T21:36:00.000Z",
          concepts: ["compaction"],
        },
        { uri: "some-note", title: "Some Note", modified: "2026-01-26T08:00:00.000Z", concepts: [] },
      ],
    });
    const context = [
      "Context for CONCEPT: x",
      "",
      "Direct relations (2 CONCEPTS):",
      "  • y (co-occurs in 3 files) [community 2]",
      "    Files: memory://a, memory://b",
      "  • z (co-occurs in 1 files)",
      "    Files: memory://b",
      "",
      "Expanded relations (2 hops):",
      "  • far",
      "",
      "Community siblings (1 concepts in community 2):",
      "  • near (co-occurs in 9 files)",
    ].join("\n");
    expect(readContext(context, "x")).toEqual({
      concept: "x",
      relatedConcepts: [
        { name: "y", relationship: "co-occurs-with", files: 3 },
        { name: "z", relationship: "co-occurs-with", files: 1 },
      ],
      fileReferences: ["memory://a", "memory://b"],
    });
  });

  it("distinguishes an empty result from an unknown format", () => {
    expect(readSearch("No results found for x")).toEqual({ results: [] });
    expect(readRecent("# Recent Activity\n\n")).toEqual({ items: [] });
    for (const garbage of [
      "",
      "<html><body>502</body></html>",
      "null",
      "[]",
      "42",
      "{",
      '{"success":false,"data":null}',
    ])
      for (const read of [readSearch, readRecent, (said: string) => readContext(said, "x")])
        expect(read(garbage)).toBeUndefined();
  });

  it("is read without rows that have no address and values of the wrong type", () => {
    const results = [
      null,
      3,
      {},
      { uri: " " },
      { uri: "memory://a", title: 7, score: "high", concepts: ["b", 1, ""] },
    ];
    expect(readSearch(JSON.stringify({ results }))).toEqual({
      results: [{ uri: "memory://a", title: "memory://a", score: 0, concepts: ["b"] }],
    });
    expect(readRecent('{"items":[{"uri":"memory://a","modified":"soon"}]}')).toEqual({
      items: [{ uri: "memory://a", title: "memory://a", modified: "", concepts: [] }],
    });
    const many = Array.from({ length: 5000 }, (_, i) => ({ uri: `memory://${i}` }));
    expect(readSearch(JSON.stringify({ results: many }))?.results).toHaveLength(200);
  });
});
