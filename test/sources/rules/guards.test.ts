import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGuards } from "../../../src/sources/rules/guards.ts";
import { toFinder } from "../../../src/sources/rules/matching/linear-regex.ts";
import { rules } from "../../../src/sources/rules/source.ts";
import { setTrust } from "../../../src/store/trust.ts";
import { engineWorld } from "../../support/engine.ts";
import { temporaryWorld } from "../../support/world.ts";

const rule = { name: "safety", body: "# Never delete\n\nReally." };
const codes = (front: Record<string, unknown>) => readGuards(front, rule).lints.map(({ code }) => code);

describe("guard", () => {
  it("is a map or a list of maps", () => {
    const guard = { action: "deny", tool: "Bash", match: "rm -rf" };
    const expected = { action: "deny", tools: ["Bash"], pattern: "rm -rf", message: "Never delete" };
    expect(readGuards({ guard }, rule)).toEqual({ guards: [expected], lints: [] });
    expect(readGuards({ guard: [guard, { action: "warn", tools: ["Write", "Edit"] }] }, rule).guards).toEqual(
      [expected, { action: "warn", tools: ["Write", "Edit"], message: "Never delete" }],
    );
  });

  it("without a tool applies to all tools", () => {
    expect(readGuards({ guard: { action: "ask", match: "x" } }, rule).guards[0]?.tools).toEqual(["*"]);
  });

  it("has its own message, or the first line of the rule, or the rule's name", () => {
    const message = (front: Record<string, unknown>, body: string) =>
      readGuards({ guard: { action: "ask", tool: "Bash", ...front } }, { name: "n", body }).guards[0]
        ?.message;
    expect(message({ message: " Ask me. " }, "Body")).toBe("Ask me.");
    expect(message({}, "- Body\nmore")).toBe("Body");
    expect(message({}, "")).toBe("n");
  });

  it.each([
    ["deny", "guard-shape"],
    [{ action: "stop", tool: "Bash" }, "guard-shape"],
    [{ action: "deny" }, "guard-shape"],
    [{ action: "deny", tols: "Bash", match: "x" }, "guard-shape"],
    [{ action: "deny", tool: [] }, "guard-shape"],
    [{ action: "deny", tool: 5 }, "guard-shape"],
    [{ action: "deny", tool: "Bash", match: "(" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: 5 }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "(a)\\1" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "a(?=b)" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "((a{99}){99}){99}" }, "guard-pattern"],
  ])("that is %j is left out and told", (guard, code) => {
    expect(readGuards({ guard }, rule).guards).toEqual([]);
    expect(codes({ guard })).toEqual([code]);
  });
});

describe("hooks of opencode-rules", () => {
  const hook = { type: "PreToolUse", tool: "bash", match: "push --force", block: true };

  it("that block become guards that deny", () => {
    const { guards, lints } = readGuards({ hooks: [hook, { ...hook, tool: "*", block: "No." }] }, rule);
    expect(lints).toEqual([]);
    expect(guards).toEqual([
      { action: "deny", tools: ["bash"], pattern: "push --force", message: "Never delete" },
      { action: "deny", tools: ["*"], pattern: "push --force", message: "No." },
    ]);
  });

  it("that run a command are never run", () => {
    expect(readGuards({ hooks: [{ ...hook, run: "echo" }] }, rule).guards).toHaveLength(1);
    expect(codes({ hooks: [{ ...hook, run: "echo" }] })).toEqual(["hook-run-ignored"]);
    expect(codes({ hooks: [{ ...hook, block: undefined, run: "echo" }] })).toEqual(["hook-run-ignored"]);
  });

  it.each([[{ ...hook, type: "PostToolUse" }], [{ ...hook, block: false }], ["x"]])(
    "%j is ignored",
    (one) => {
      expect(readGuards({ hooks: [one] }, rule).guards).toEqual([]);
      expect(codes({ hooks: [one] })).toEqual(["hook-ignored"]);
    },
  );
});

describe("a guard's pattern", () => {
  it.each([
    ["rm\\s+-(rf|fr)\\b", '{"command":"rm -fr /"}', true],
    ["^\\{.*\\}$", "{}", true],
    ["a{2,3}b{2}c{0,}", "xaabbc", true],
    ["a{,3}", "a{,3}", true],
    ["[^\\]]x", "]x", false],
    ["(?<name>ab)+?$", "abab", true],
    ["\\u0041\\x42\\t", "AB\t", true],
    ["", "anything", true],
    ["(|a)*b", "aab", true],
    ["\\bx", "ax", false],
  ])("%s in %j: %s", (source, text, expected) => {
    expect(toFinder(source)?.(text, { left: 1e6 })).toBe(expected);
    expect(new RegExp(source).test(text)).toBe(expected);
  });

  it("gives the same results as in JavaScript", () => {
    const atom = fc.constantFrom(
      ..."a b c . \\w \\d \\s \\b \\B ^ $ [ab] [^a] [a-c1] - { } ] \\( \\. \\n a| |b (?: ( ) \\x61 \\u0062".split(
        " ",
      ),
    );
    const count = fc.constantFrom(
      "",
      "",
      "",
      "*",
      "+",
      "?",
      "*?",
      "+?",
      "??",
      "{2}",
      "{1,2}",
      "{0,}",
      "{,2}",
    );
    const source = fc.array(fc.tuple(atom, count), { maxLength: 8 }).map((all) => all.flat().join(""));
    const text = fc.array(fc.constantFrom("a", "b", "c", "1", " ", "-", "{", "(", ".", "\n", "]"), {
      maxLength: 8,
    });
    let compared = 0;
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (pattern, texts) => {
        let native: RegExp;
        try {
          native = new RegExp(pattern);
        } catch {
          expect(toFinder(pattern)).toBeUndefined();
          return;
        }
        const find = toFinder(pattern);
        for (const one of texts.map((parts) => parts.join(""))) {
          compared++;
          expect(find?.(one, { left: 1e6 }), JSON.stringify(one)).toBe(native.test(one));
        }
      }),
      { numRuns: 5000 },
    );
    expect(compared).toBeGreaterThan(3000);
  });

  it.each([
    ["(a+)+$", "a"],
    ["(a|a)*x", "a"],
    ["(.*)*x", "a"],
    ["a.*a.*a.*a.*x", "a"],
    ["(a?){50}a{50}x", "a"],
    ["\\s+$|a+\\s+b", "a "],
    ["(a?){400}(b?){400}(c?){400}zz", "abc"],
    ["rm\\s+-(rf|fr)\\b", "rm -"],
  ])("%s needs few steps for a text of %j made to be slow", (source, piece) => {
    for (const length of [20_000, 1_000_000]) {
      const budget = { left: 10 * length };
      const text = `${piece.repeat(length / piece.length)}!`;
      expect(toFinder(source)?.(text, budget)).toBe(false);
      expect(budget.left).toBeGreaterThan(0);
    }
  });
});

it.each([
  ["Bash", "bash"],
  ["bash", "Bash"],
  ["mcp__GitHub__Search", "mcp__github__search"],
])("a guard for %s blocks the host's %s, and no other tool", async (written, called) => {
  const guard = `---\nguard: { action: deny, tool: ${written}, match: forbidden }\n---\nNo.`;
  const { root, home, env, project } = temporaryWorld({ ".continuo/rules/g.md": guard });
  await setTrust(home, project.id, "", Date.now());
  const verdict = (name: string, command = "echo forbidden") =>
    rules.guard?.(
      {
        session: { host: "pi", id: "s1" },
        project,
        cwd: root,
        at: Date.now(),
        name: "tool",
        tool: { name, input: { command }, files: [] },
      },
      { settings: {}, env, home: home.root, report: () => undefined, isGuardOff: () => false },
    );
  expect(await verdict(called)).toMatchObject({ action: "deny" });
  expect(await verdict(`${called}x`)).toBeUndefined();
  expect(await verdict(called, "echo FORBIDDEN")).toBeUndefined(); // the arguments are not a name
});

it.each([
  ["Bash", "bash", "Bash2"],
  ["webfetch", "WebFetch", "Web"],
  ["MCP_github", "mcp__github__search", "mcp__git__search"],
])("a rule for the tool %s applies once %s was called, not %s", async (written, called, other) => {
  const rule = `---\ntools: [${written}]\n---\nTool rule.`;
  const world = engineWorld([rules], {}, temporaryWorld({ ".continuo/rules/t.md": rule }));
  await world.start();
  expect(await world.tool(other)).toBe("");
  expect(await world.tool(called)).toContain("Tool rule.");
});
