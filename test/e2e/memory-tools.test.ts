import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, requestText } from "../fakes/anthropic-requests.ts";
import { requestText as chatText } from "../fakes/openai-requests.ts";
import { main, started, use } from "../hosts/opencode/turns.ts";
import { CONTINUO } from "../support/child.ts";
import { CLAUDE_CODE, startClaudeCode } from "../support/claude-code.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { cliOf, PI, startPi } from "../support/pi.ts";
import { write } from "../support/world.ts";
import { configure } from "./continuo.ts";

/** Otherwise a session that begins without notes has no tool to read them. */
const ALL = { tools: "all" };

/** What a model does with the notes. Each call needs the one before. */
const CALLS: readonly { name: string; input: Record<string, unknown>; answer: string }[] = [
  {
    name: "write_memory",
    input: { title: "Deploy", content: "Ships with [[fly]] to [[frankfurt]].", folder: "ops" },
    answer: "Written: memory://ops/deploy",
  },
  { name: "search_memories", input: { query: "frankfurt ships" }, answer: "Deploy (memory://ops/deploy) " },
  { name: "read_memory", input: { identifier: "memory://ops/deploy" }, answer: "Ships with [[fly]] to" },
  {
    name: "edit_memory",
    input: { identifier: "Deploy", operation: "replace", find: "Ships", content: "Goes out" },
    answer: "Edited: memory://ops/deploy (checksum ",
  },
  {
    name: "edit_memory",
    input: { identifier: "Deploy", operation: "replace", find: "Ships", content: "x" },
    answer: "the text to replace occurs 0 times, not 1; read the note (read_memory)",
  },
  { name: "build_context", input: { conceptName: "fly" }, answer: "frankfurt (1 note): memory://ops/deploy" },
  {
    name: "recent_activity",
    input: { timespan: "24h" },
    answer: "Deploy (memory://ops/deploy): fly, frankfurt",
  },
];

function expectWritten(home: string): void {
  expect(readFileSync(join(home, ".continuo", "memory", "ops", "deploy.md"), "utf8")).toContain(
    "Goes out with [[fly]]",
  );
}

const opencode = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));
const claudeCode = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const pi = await orSkipReason(cliOf(PI));

describe.skipIf(typeof opencode === "object")(`the memory tools in OpenCode ${OPENCODE}`, () => {
  it("are called by the model, each with its answer", async () => {
    const { host, queue } = await started({}, ALL);
    queue.push(...CALLS.map(({ name, input }) => use(name, input)));
    const requests = main(await host.prompt(await host.createSession(), "keep it"));
    const last = chatText(requests.at(-1)!);
    for (const { name, answer } of CALLS) expect(last, name).toContain(answer);
    expectWritten(host.home);
  });
});

describe.skipIf(typeof claudeCode === "object" && "skip" in claudeCode)(
  `the memory tools in Claude Code ${CLAUDE_CODE}`,
  () => {
    it("are called by the model, each with its answer", async () => {
      const queue: Reply[] = CALLS.map(({ name, input }) => ({
        toolUses: [{ name: `mcp__continuo__${name}`, input }],
      }));
      const server = await startFakeAnthropic({
        respond: (request) =>
          classify(request) === "main" ? (queue.shift() ?? { text: "done" }) : { text: "ok" },
      });
      onTestFinished(() => server.close());
      const host = await startClaudeCode({ git: true, server });
      onTestFinished(() => host.dispose());
      configure({ env: { HOME: host.home } }, ALL);
      const entry = { command: process.execPath, args: [CONTINUO, "mcp"] };
      const config = JSON.stringify({ mcpServers: { continuo: entry } });
      const args = ["--allowedTools", "mcp__continuo", "--mcp-config", config];
      const ran = await host.run({ prompt: "keep it", sessionId: randomUUID(), args });
      expect(ran.code, ran.stderr).toBe(0);
      const last = requestText(ran.requests.filter((one) => classify(one) === "main").at(-1)!);
      for (const { name, answer } of CALLS) expect(last, name).toContain(answer);
      expectWritten(host.home);
    });
  },
);

describe.skipIf(typeof pi === "object")(`the memory tools in pi ${PI.version}`, () => {
  it("are called by the model, each with its answer", async () => {
    const driver = await startPi(PI);
    onTestFinished(() => driver.dispose());
    configure(driver, ALL);
    write(driver.project, { "a.md": "a" });
    const queue: Reply[] = CALLS.map(({ name, input }) => ({ toolUses: [{ name, input }] }));
    driver.respondWith(() => queue.shift() ?? { text: "done" });
    await driver.turn("keep it");
    const last = requestText(driver.server.requests.at(-1)!);
    for (const { name, answer } of CALLS) expect(last, name).toContain(answer);
    expectWritten(driver.home);
  });
});
