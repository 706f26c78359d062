import { describe, expect, test } from "vitest";
import { countTokens } from "../../../../src/compose/tokens.ts";
import type { MemoryEngine, RecentOutput, SearchOutput } from "../../../../src/sources/notes/engine.ts";
import {
  findForStart,
  fullText,
  pointers,
  rankConcepts,
  withinTokens,
} from "../../../../src/sources/notes/ports/session-start.ts";

const FOUND: SearchOutput["results"] = [
  { uri: "memory://tech/ledger", title: "Ledger", score: 0.8, concepts: ["Ledger", "SQLite", "demo"] },
  { uri: "memory://tech/locks", title: "Locks", score: 0.6, concepts: ["ledger", "Lock File"] },
];
const RECENT: RecentOutput["items"] = [
  {
    uri: "memory://tech/locks",
    title: "Locks",
    modified: "2026-01-27T21:36:01.000Z",
    concepts: ["ledger", "lock_file"],
  },
  { uri: "memory://diary", title: "Diary", modified: "2026-01-27T20:00:00.000Z", concepts: ["sqlite"] },
];

/** An engine that records its calls. */
function recorded(over: Partial<MemoryEngine> = {}) {
  const calls: [tool: string, payload: object][] = [];
  const engine: MemoryEngine = {
    searchMemories: async (asked, signal) => {
      calls.push(["SearchMemories", asked]);
      return over.searchMemories?.(asked, signal) ?? { results: FOUND };
    },
    recentActivity: async (asked, signal) => {
      calls.push(["RecentActivity", asked]);
      return over.recentActivity?.(asked, signal) ?? { items: RECENT };
    },
    buildContext: async (asked, signal) => {
      calls.push(["BuildContext", asked]);
      return (
        over.buildContext?.(asked, signal) ?? {
          concept: asked.conceptName,
          relatedConcepts: [{ name: `near-${asked.conceptName}`, relationship: "co-occurs-with", files: 2 }],
          fileReferences: ["memory://tech/ledger"],
        }
      );
    },
  };
  return {
    engine,
    calls,
    asked: (tool: string) => calls.filter(([name]) => name === tool).map(([, p]) => p),
  };
}

function options(trouble: string[] = [], more: { timeoutMs?: number; tokenLimit?: number } = {}) {
  return {
    project: "demo",
    tokenLimit: 4000,
    timeoutMs: 1000,
    onFailure: (tool: string, error: unknown) => void trouble.push(`${tool}: ${String(error)}`),
    ...more,
  };
}

const never = () => new Promise<never>(() => undefined);

describe("a session start", () => {
  test("T-2.2.1 searches the notes for the project's name", async () => {
    const { engine, asked } = recorded();
    await findForStart(engine, options());
    expect(asked("SearchMemories")).toEqual([{ query: "demo", mode: "Hybrid", pageSize: 5 }]);
  });

  test("T-2.3.1 asks for the activity of the last 24 hours, while the search is still running", async () => {
    const { engine, asked, calls } = recorded({ searchMemories: never });
    await findForStart(engine, options([], { timeoutMs: 50 }));
    expect(asked("RecentActivity")).toEqual([{ timespan: "1.00:00:00", limit: 10, filter: "memory" }]);
    expect(calls.slice(0, 2).map(([tool]) => tool)).toEqual(["SearchMemories", "RecentActivity"]);
  });

  test("T-2.4.1 builds the context of the merged concepts, each once, the most frequent first", async () => {
    const { engine, asked } = recorded();
    await findForStart(engine, options());
    const common = { depth: 1, maxEntities: 10, includeContent: false };
    expect(asked("BuildContext")).toEqual([
      { conceptName: "ledger", ...common },
      { conceptName: "sqlite", ...common },
      { conceptName: "demo", ...common },
      { conceptName: "lock-file", ...common },
    ]);
  });

  test("builds the context of at most five concepts, and of fewer with a low limit", async () => {
    const results = [{ ...FOUND[0]!, concepts: ["a", "b", "c", "d", "e", "f"] }];
    const searchMemories = async () => ({ results });
    const roomy = recorded({ searchMemories });
    await findForStart(roomy.engine, options());
    expect(roomy.asked("BuildContext")).toHaveLength(5);
    const narrow = recorded({ searchMemories });
    await findForStart(narrow.engine, options([], { tokenLimit: 170 }));
    expect(narrow.asked("BuildContext")).toHaveLength(2);
  });

  test("T-2.6.1 is cut to the token limit by whole lines, with a notice", async () => {
    const many = Array.from({ length: 200 }, (_, i) => ({ ...RECENT[0]!, uri: `memory://n/${i}` }));
    const { engine } = recorded({ recentActivity: async () => ({ items: many }) });
    const found = await findForStart(engine, options());
    const whole = fullText(found, 100_000);
    const cut = fullText(found, 500);
    expect(countTokens(whole)).toBeGreaterThan(500);
    expect(countTokens(cut)).toBeLessThanOrEqual(500);
    const [notice, ...rest] = cut.split("\n").reverse();
    expect(notice).toContain("search_memories");
    for (const line of rest) expect(whole.split("\n")).toContain(line);
  });

  test("T-2.E.1 reports a missing program once, and ends with nothing", async () => {
    const missing = async () => {
      throw new Error("spawn maenifold ENOENT");
    };
    const trouble: string[] = [];
    const { engine } = recorded({
      searchMemories: missing,
      recentActivity: missing,
      buildContext: missing,
    });
    const found = await findForStart(engine, options(trouble));
    expect(trouble).toEqual(["SearchMemories: Error: spawn maenifold ENOENT"]);
    expect(pointers(found)).toEqual([]);
    expect(fullText(found, 4000)).toBe("");
  });

  test("T-2.E.2 continues without a call that takes too long", async () => {
    const trouble: string[] = [];
    const { engine } = recorded({ searchMemories: never });
    const found = await findForStart(engine, options(trouble, { timeoutMs: 50 }));
    expect(trouble).toEqual(["SearchMemories: no answer within 50 ms"]);
    expect(found.recent).toEqual(RECENT);
    expect(found.contexts.map(({ concept }) => concept)).toEqual(["ledger", "lock-file", "sqlite"]);
  });
});

describe("the ranked concepts", () => {
  test("count a note once that was found twice, and are normalised", () => {
    expect(rankConcepts(FOUND, RECENT)).toEqual([
      { name: "ledger", notes: 2 },
      { name: "sqlite", notes: 2 },
      { name: "demo", notes: 1 },
      { name: "lock-file", notes: 1 },
    ]);
  });
});

describe("the text at a start", () => {
  const findings = () => findForStart(recorded().engine, options());

  test("as pointers: titles and addresses of what the program found by the project's name", async () => {
    expect(pointers(await findings()).map(({ text }) => text)).toEqual([
      "Ledger (memory://tech/ledger)",
      "Locks (memory://tech/locks)",
    ]);
  });

  test("as pointers: nothing when no note is about the project, whatever changed lately", async () => {
    const { engine } = recorded({ searchMemories: async () => ({ results: [] }) });
    expect(pointers(await findForStart(engine, options()))).toEqual([]);
  });

  test("as pointers: at most five short lines, however long titles are and however many notes", async () => {
    const long = (i: number) => ({
      ...FOUND[0]!,
      uri: `memory://${"a-very-long-folder-name/".repeat(2)}${i}`,
      title: `A title that goes on ${"and on ".repeat(60)}`,
    });
    const { engine } = recorded({
      searchMemories: async () => ({ results: [1, 2, 3, 4, 5, 6, 7].map(long) }),
    });
    const lines = pointers(await findForStart(engine, options()));
    expect(lines).toHaveLength(5);
    for (const { text } of lines) expect(text.length).toBeLessThanOrEqual(160);
  });

  test("in full: project, concepts, notes, activity and connections under their headings, each note once", async () => {
    expect(
      fullText(await findings(), 4000)
        .split("\n")
        .filter((line) => /^(#|\*\*|- )/.test(line)),
    ).toEqual([
      "## Knowledge Graph Context",
      "### Project: demo",
      "**Related Concepts:**",
      "- [[ledger]] - 2 notes",
      "- [[sqlite]] - 2 notes",
      "- [[demo]] - 1 note",
      "- [[lock-file]] - 1 note",
      "**Related Notes:**",
      "- Ledger (memory://tech/ledger)",
      "**Recent Activity (last 24h):**",
      "- Locks (memory://tech/locks)",
      "- Diary (memory://diary)",
      "**Graph Connections:**",
      "- [[ledger]] → [[near-ledger]]",
      "- [[sqlite]] → [[near-sqlite]]",
      "- [[demo]] → [[near-demo]]",
      "- [[lock-file]] → [[near-lock-file]]",
    ]);
  });
});

describe("a limit that is too low for one line", () => {
  test("gives an empty text, not only a notice", () => {
    expect(withinTokens(["a line of several words"], 3, "shortened")).toBe("");
  });
});
