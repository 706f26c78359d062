import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FakeAnthropic, startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, requestText, sharedPrefix } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CLAUDE_CODE, OLD_CLAUDE_CODE } from "../support/claude-code.ts";
import {
  expectOnce,
  expectPrefix,
  mainOf,
  missingClaudeCode,
  wiredClaudeCode,
} from "../support/claude-code-wired.ts";
import { write } from "../support/world.ts";

const RULES = {
  ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
  ".opencode/rules/other.md": "MARK-OTHER: prices are in cents.",
  ".continuo/rules/conditional.md": "---\nglobs: ['*.py']\n---\nMARK-CONDITIONAL",
};
const SUMMARY = { text: "<analysis>x</analysis>\n<summary>We said hello.</summary>" };

const missing = await missingClaudeCode();

const wired = (options: Parameters<typeof wiredClaudeCode>[0] = {}) =>
  wiredClaudeCode({ files: RULES, ...options });

describe.skipIf(missing !== undefined)(`Claude Code ${CLAUDE_CODE}`, () => {
  it("shows the snapshot before the first answer, on resume, and after compaction, never twice, with one prefix per epoch", async () => {
    const server = await startFakeAnthropic({
      respond: (request, index) =>
        classify(request) === "compaction" ? SUMMARY : { text: `answer ${index}` },
    });
    const host = await wired({ server });
    const id = randomUUID();
    const preview = JSON.parse(await host.cli("start", "--json")).data.text as string;

    const first = mainOf((await host.run({ prompt: "hello", sessionId: id })).requests);
    expect(first).toHaveLength(1);
    expectOnce(first[0], "MARK-ALWAYS", "MARK-OTHER", "</continuo>");
    expect(requestText(first[0]!)).toContain(preview);
    expect(requestText(first[0]!)).not.toContain("MARK-CONDITIONAL");

    const second = mainOf((await host.run({ prompt: "again", resume: id })).requests);
    const third = mainOf((await host.run({ prompt: "once more", resume: id })).requests);
    for (const request of [...second, ...third]) expectOnce(request, "MARK-ALWAYS", "MARK-OTHER");
    expectPrefix([...first, ...second, ...third]);

    const compaction = await host.compact(id);
    const summariser = compaction.requests.filter((request) => classify(request) === "compaction");
    expect(summariser.length).toBeGreaterThan(0);
    expectOnce(summariser[0], "block out of the summary");

    // The rules are the same bytes; what the session is given about itself may follow them.
    const sameRules = preview.slice(0, -"\n</continuo>".length);
    const fourth = mainOf((await host.run({ prompt: "go on", resume: id })).requests);
    const fifth = mainOf((await host.run({ prompt: "and on", resume: id })).requests);
    for (const request of [...fourth, ...fifth]) expectOnce(request, "MARK-ALWAYS", "MARK-OTHER", sameRules);
    expectPrefix([...fourth, ...fifth]);

    await host.compact(id);
    expectOnce(
      mainOf((await host.run({ prompt: "still", resume: id })).requests)[0],
      "MARK-ALWAYS",
      "MARK-OTHER",
    );
    const ledger = JSON.parse(await host.cli("status", "--json")).data.sessions;
    expect(ledger).toMatchObject([{ session: id, snapshots: 3, additions: 0 }]);
    expect(await host.cli("doctor")).toContain("No problems found: ");
  });

  it.each(["claude-sonnet-4-5", "claude-opus-5-5"])(
    "keeps the prefix within a turn with tool calls, and delivers a new rule once, with %s",
    async (model) => {
      const server = await startFakeAnthropic({ respond: (request) => readTwice(request) });
      const host = await wired({ server, model });
      writeFileSync(join(host.project, "file.txt"), "content\n");
      const read = { toolUses: [{ name: "Read", input: { file_path: join(host.project, "file.txt") } }] };
      function readTwice(request: ModelRequest): Reply {
        const results = JSON.stringify(request.body.messages.at(-1)).includes("tool_result");
        return requestText(request).includes("read it") && !results ? read : { text: "done" };
      }
      const id = randomUUID();
      const turn = mainOf((await host.run({ prompt: "please read it", sessionId: id })).requests);
      expect(turn.length).toBeGreaterThanOrEqual(2);
      write(host.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
      const next = mainOf((await host.run({ prompt: "hello", resume: id })).requests);
      const last = mainOf((await host.run({ prompt: "bye", resume: id })).requests);
      for (const request of [...next, ...last])
        expectOnce(request, "MARK-ALWAYS", "MARK-LATE", "<continuo-addition>");
      expectPrefix([...turn, ...next, ...last]);
    },
  );

  it("delivers the rules again in the next request after an automatic compaction in mid-turn", async () => {
    const server: FakeAnthropic = await startFakeAnthropic({
      respond: (request): Reply => {
        if (classify(request) === "compaction") return SUMMARY;
        const rounds = server.requests.filter((one) => classify(one) === "main").length;
        return rounds <= 2 ? { ...read, usage: { input_tokens: 95_000 } } : { text: "done" };
      },
    });
    const host = await wired({ server });
    writeFileSync(join(host.project, "file.txt"), "content\n");
    const read = { toolUses: [{ name: "Read", input: { file_path: join(host.project, "file.txt") } }] };
    const { requests } = await host.run({ prompt: "read a lot", args: ["--autocompact", "100k"] });
    const kinds = requests.map(classify);
    expect(kinds).toContain("compaction");
    const after = requests[kinds.lastIndexOf("compaction") + 1];
    expectOnce(after, "MARK-ALWAYS", "MARK-OTHER");
  });

  it("gives a subagent the rules, once, and the fork of a session no second copy", async () => {
    const server = await startFakeAnthropic({
      respond: (request): Reply =>
        classify(request) === "main" &&
        !JSON.stringify(request.body.messages).includes("tool_result") &&
        requestText(request).includes("delegate")
          ? {
              toolUses: [
                {
                  name: "Agent",
                  input: { description: "d", prompt: "do it", subagent_type: "general-purpose" },
                },
              ],
            }
          : { text: "ok" },
    });
    const host = await wired({ server });
    const id = randomUUID();
    const { requests } = await host.run({
      prompt: "delegate this",
      sessionId: id,
      args: ["--permission-mode", "bypassPermissions"],
    });
    const children = requests.filter((request) => classify(request) === "subagent");
    expect(children.length).toBeGreaterThan(0);
    for (const child of children) expectOnce(child, "MARK-ALWAYS", "MARK-OTHER");
    const forked = mainOf(
      (await host.run({ prompt: "fork", resume: id, args: ["--fork-session"] })).requests,
    );
    expectOnce(forked[0], "MARK-ALWAYS", "MARK-OTHER");
    expectPrefix([...mainOf(requests), ...forked]);
  });

  it("adds nothing if nothing applies: the request is that of a host without Continuo", async () => {
    const host = await wired();
    // Not with the MCP entry: the names of its tools are in every request.
    await host.cli("install", "claude-code", "--no-mcp");
    write(host.project, Object.fromEntries(Object.keys(RULES).map((name) => [name, ""])));
    const [withUs] = (await host.run({ prompt: "hello" })).requests;
    await host.cli("uninstall", "claude-code");
    const [without] = (await host.run({ prompt: "hello" })).requests;
    expect(sharedPrefix(withUs!, without!)).toEqual({ system: true, tools: true, messages: true });
    expect(without!.body.messages.length).toBe(withUs!.body.messages.length);
  });
});

const missingOld = await missingClaudeCode(OLD_CLAUDE_CODE);

describe.skipIf(missingOld !== undefined)(
  `Claude Code ${OLD_CLAUDE_CODE}, which forgets hook context`,
  () => {
    it("still shows the snapshot at the start and on resume", async () => {
      const host = await wired({ version: OLD_CLAUDE_CODE });
      const id = randomUUID();
      expectOnce(
        mainOf((await host.run({ prompt: "hello", sessionId: id })).requests)[0],
        "MARK-ALWAYS",
        "MARK-OTHER",
      );
      expectOnce(
        mainOf((await host.run({ prompt: "again", resume: id })).requests)[0],
        "MARK-ALWAYS",
        "MARK-OTHER",
      );
    });
  },
);
