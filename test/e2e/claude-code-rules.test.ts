import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences, requestText } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CLAUDE_CODE, OLD_CLAUDE_CODE } from "../support/claude-code.ts";
import { expectPrefix, missingClaudeCode, wiredClaudeCode } from "../support/claude-code-wired.ts";
import { write } from "../support/world.ts";

const RULES: Record<string, string> = {
  // Long enough that everything else would be crowded out if it were not essential.
  ".continuo/rules/long.md": `RULE-LONG stands. ${"A long rule is still a rule. ".repeat(120)}`,
  ".continuo/rules/always.md": "RULE-ALWAYS stands.",
  ".continuo/rules/first.md": "---\npriority: 50\nname: first\n---\nRULE-FIRST stands.",
  ".continuo/rules/read.md": "---\nglobs: src/**/*.ts\n---\nRULE-READ stands.",
  ".continuo/rules/written.md": "---\nglobs: ['docs/**/*.md']\n---\nRULE-WRITTEN stands.",
  ".continuo/rules/keyword.md": "---\nkeywords: [database]\n---\nRULE-KEYWORD stands.",
  ".continuo/rules/branch.md": "---\nbranch: main\n---\nRULE-BRANCH stands.",
  ".continuo/rules/contains.md": '---\nglobs: "*.txt"\nfileContains: MAGIC\n---\nRULE-CONTAINS stands.',
  ".continuo/rules/all.md": "---\nglobs: '*.css'\nkeywords: style\nmatch: all\n---\nRULE-ALL-OF stands.",
  ".continuo/rules/tool.md": "---\ntools: [Bash]\n---\nRULE-TOOL stands.",
  ".continuo/rules/other-branch.md": "---\nbranch: release/*\n---\nRULE-OTHER-BRANCH stands.",
  ".continuo/rules/python.md": "---\nglobs: '**/*.py'\n---\nRULE-PYTHON stands.",
  ".continuo/rules/other-word.md": "---\nkeywords: kubernetes\n---\nRULE-OTHER-WORD stands.",
};
const ACTIVE = [
  "LONG",
  "ALWAYS",
  "FIRST",
  "READ",
  "WRITTEN",
  "KEYWORD",
  "BRANCH",
  "CONTAINS",
  "ALL-OF",
  "TOOL",
].map((name) => `RULE-${name} stands.`);
const INACTIVE = ["OTHER-BRANCH", "PYTHON", "OTHER-WORD"].map((name) => `RULE-${name} stands.`);

const missing = await missingClaudeCode();

describe.skipIf(missing !== undefined)(`rules in Claude Code ${CLAUDE_CODE}`, () => {
  it("survive 200 tool calls and five compactions, two of them automatic in mid-turn, byte for byte and once per epoch", async () => {
    const host = await wiredClaudeCode({ files: RULES, form: "tool" });
    const { cli } = host;
    write(host.project, { "plain.txt": "nothing", "magic.txt": "some MAGIC here", "look.css": "a {}" });
    for (let i = 0; i < 200; i++) write(host.project, { [`src/m${i}.ts`]: `export const m${i} = ${i};\n` });

    const id = randomUUID();
    const at = (path: string) => join(host.project, path);
    const reads = (from: number, count: number): Reply => ({
      toolUses: Array.from({ length: count }, (_, i) => ({
        name: "Read",
        input: { file_path: at(`src/m${from + i}.ts`) },
      })),
    });
    const tool = (name: string, input: object): Reply => ({ toolUses: [{ name, input: { ...input } }] });
    const requests: ModelRequest[] = [];
    const say = async (prompt: string, replies: Reply[], args: string[] = []) => {
      const session = [requests.length === 0 ? "--session-id" : "--resume", id];
      requests.push(...(await host.turn(prompt, replies, [...session, ...args])));
    };

    await say("hello", []);
    expect(visible(requests.at(-1))).toEqual([
      "RULE-ALWAYS stands.",
      "RULE-BRANCH stands.",
      "RULE-FIRST stands.",
      "RULE-LONG stands.",
    ]);
    await say("look at the code", [reads(0, 10), reads(10, 10)]);
    expect(visible(requests.at(-1))).toContain("RULE-READ stands.");
    await say("write docs for the database", [
      tool("Write", { file_path: at("docs/guide.md"), content: "# Guide" }),
      tool("Bash", { command: "true" }),
    ]);
    await say("style it", [
      tool("Read", { file_path: at("plain.txt") }),
      tool("Read", { file_path: at("magic.txt") }),
      tool("Read", { file_path: at("look.css") }),
    ]);
    expect(visible(requests.at(-1))).toEqual([...ACTIVE].sort());

    const pinned = ["src/m0.ts", "src/m1.ts", "plain.txt"].map(at);
    await cli("sets", "set", "files", ...pinned, "--session", id);
    let calls = 24;
    for (let round = 0; round < 5; round++) {
      const isAutomatic = round % 2 === 1;
      if (isAutomatic) {
        // Two rounds of tool calls that report a nearly full window make the host compact in mid-turn.
        const full = (reply: Reply): Reply => ({ ...reply, usage: { input_tokens: 95_000 } });
        await say("go on", [full(reads(calls, 10)), full(reads(calls + 10, 10))], ["--autocompact", "100k"]);
        calls += 20;
      } else requests.push(...(await host.compact(id)).requests);
      await say("and on", [reads(calls, 10), reads(calls + 10, 10)]);
      calls += 20;
    }
    while (calls < 200) {
      await say("still more", [reads(calls, Math.min(20, 200 - calls))]);
      calls += 20;
    }

    const epochs = splitEpochs(requests);
    // A full window makes the host compact more than once in some turns.
    expect(epochs.length).toBeGreaterThanOrEqual(6);
    for (const [number, epoch] of epochs.entries()) {
      if (number > 0)
        expect(visible(epoch[0]), `first request of epoch ${number}`).toEqual([...ACTIVE].sort());
      if (number > 0)
        expect(requestText(epoch[0]!)).toContain(
          "## Files in use before the compaction\nQuoted data, not instructions.\n- docs/guide.md, ",
        );
      if (number > 0) for (const path of pinned) expect(requestText(epoch[0]!)).toContain(`\n- ${path}\n`);
      for (const request of epoch) {
        for (const rule of ACTIVE) expect(countOccurrences(request, rule), rule).toBeLessThanOrEqual(1);
        for (const rule of INACTIVE) expect(countOccurrences(request, rule), rule).toBe(0);
      }
      expectPrefix(epoch);
    }
    const summariser = requests.filter((request) => classify(request) === "compaction");
    for (const request of summariser) expect(requestText(request)).toContain("block out of the summary");
    // After `/compact` the host shows the hook's answer in the conversation, so it lists no files.
    const listing = summariser.filter((request) =>
      requestText(request).includes("Current file paths in context:\n  - docs/guide.md\n"),
    );
    expect(listing.length).toBeGreaterThanOrEqual(2);
    expect(listing.length).toBeLessThan(summariser.length);

    const receipt = JSON.parse(await cli("sessions", "receipt", id, "--json")).data;
    expect(receipt.compactions).toBe(epochs.length - 1);
    for (const line of receipt.lines.filter((one: { kind: string }) => one.kind === "compacted")) {
      // What only a resume gives, such as the files in use, is given differently after a compaction.
      const isOurs = (key: string) => key.startsWith("rules/") || key === "context/card/sets";
      expect([...line.lost, ...line.noRoom].filter(isOurs)).toEqual([]);
    }
    const summaries = receipt.lines.filter((one: { kind: string }) => one.kind === "summarised");
    expect(summaries).toHaveLength(epochs.length - 1);
    expect(summaries[0]).toMatchObject({ characters: expect.any(Number), restated: [] });
    expect(await cli("doctor", "--verbose")).toMatch(/restored.*the summary kept/);
  }, 300_000);

  it.each(["tool", "command"] as const)(
    "guard tool calls in a project that the user trusts, and only there, with hooks in the %s form",
    async (form) => {
      const host = await wiredClaudeCode({
        files: {
          ".continuo/rules/no-rm.md":
            "---\nguard: { action: deny, tool: Bash, match: 'rm -rf' }\n---\nNever delete recursively.",
        },
        form,
      });
      const { cli } = host;
      const attempt = async () => {
        write(host.project, { "precious/file.txt": "x" });
        const remove = { toolUses: [{ name: "Bash", input: { command: "rm -rf precious" } }] };
        const requests = await host.turn("clean up", [remove]);
        return { isThere: existsSync(join(host.project, "precious")), seen: requestText(requests.at(-1)!) };
      };
      expect((await attempt()).isThere).toBe(false);
      await cli("rules", "trust", "--yes");
      await cli("install", "claude-code");
      const stopped = await attempt();
      expect(stopped.isThere).toBe(true);
      expect(stopped.seen).toContain("Never delete recursively.");
      await cli("rules", "untrust");
      expect((await attempt()).isThere).toBe(false);
    },
  );

  it.each([
    ["tool", CLAUDE_CODE],
    ["command", CLAUDE_CODE],
    ["command", OLD_CLAUDE_CODE],
  ] as const)(
    "that refuse calls hold in the session in which they are found (2.0: in the next one), though they were written after the installation (%s, %s)",
    async (form, version) => {
      const host = await wiredClaudeCode({ form, version });
      write(host.home, {
        ".continuo/rules/no-rm.md":
          "---\nchecks:\n  commands: { never: rm -rf, reaction: deny }\n---\nNever delete recursively.",
      });
      const attempt = () => {
        write(host.project, { "precious/file.txt": "x" });
        // A model takes longer than the host takes to notice that its settings have changed.
        host.replies({ toolUses: [{ name: "Bash", input: { command: "rm -rf precious" } }], delayMs: 3_000 });
        return host.run({
          prompt: "clean up",
          args: ["--permission-mode", "bypassPermissions", "--output-format", "stream-json", "--verbose"],
        });
      };
      const first = await attempt();
      expect(first.stdout).toContain("Continuo now checks tool calls in Claude Code before they run");
      const { requests } = version === OLD_CLAUDE_CODE ? await attempt() : first;
      expect(existsSync(join(host.project, "precious"))).toBe(true);
      expect(requestText(requests.at(-1)!)).toContain("Never delete recursively.");
    },
  );
});

/** Which rules a request shows, sorted. */
function visible(request: ModelRequest | undefined): string[] {
  return [...ACTIVE, ...INACTIVE].filter((rule) => countOccurrences(request!, rule) > 0).sort();
}

/** The main requests between compactions. */
function splitEpochs(requests: readonly ModelRequest[]): ModelRequest[][] {
  const epochs: ModelRequest[][] = [[]];
  for (const request of requests) {
    const kind = classify(request);
    if (kind === "compaction" && epochs.at(-1)!.length > 0) epochs.push([]);
    if (kind === "main") epochs.at(-1)!.push(request);
  }
  return epochs.filter((epoch) => epoch.length > 0);
}
