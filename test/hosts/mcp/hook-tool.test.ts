import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../src/hosts/claude-code/hook.ts";
import { toolInput } from "../../../src/hosts/shared/hook/tool-input.ts";
import { ledgerJournal, readLedger } from "../../../src/moments/state/ledger.ts";
import { readHealth } from "../../../src/store/health.ts";
import { readRecords } from "../../../src/store/journal.ts";
import { withLock } from "../../../src/store/lock.ts";
import { CONTINUO } from "../../support/child.ts";
import { hookProcess } from "../../support/hooks.ts";
import { temporaryWorld, write } from "../../support/world.ts";
import { startServer, textOf } from "./server.ts";

const RULES = {
  ".continuo/rules/always.md": "MARK-ALWAYS: plain.",
  ".continuo/rules/zebra.md": "---\nkeywords: [zebra]\n---\nMARK-ZEBRA: stripes.",
  ".continuo/rules/text.md": "---\nglobs: ['*.txt']\n---\nMARK-TXT: text files.",
};

/** A server with Claude Code as its client, and a session that has begun in a hook process. */
async function world(client = "claude-code") {
  const made = temporaryWorld(RULES);
  const { root, env } = made;
  const server = startServer(CONTINUO, env, root);
  await server.initialize("2025-11-25", client);
  const common = { session_id: "s1", cwd: root, transcript_path: join(root, "none.jsonl") };
  const asHook = async (event: string, more: object) =>
    (await hookProcess(made, event, { ...common, hook_event_name: event, ...more })).stdout;
  const asTool = async (event: string, more: Record<string, string>, tool = "for_hooks_only") => {
    const names = Object.keys(toolInput(claudeCode, event)).map((name) => [name, ""]);
    return textOf(await server.call(tool, { ...Object.fromEntries(names), event, ...common, ...more }));
  };
  await asHook("SessionStart", { source: "startup" });
  return { ...made, server, asHook, asTool };
}

const read = (file: string) => ({ tool_name: "Read", tool_input: JSON.stringify({ file_path: file }) });

describe("the tool that hooks call", () => {
  it("answers as a hook process would, once, and both write the same ledger", async () => {
    const { root, asTool, asHook, home } = await world();
    const prompt = { prompt: "paint the zebra", prompt_id: "p1" };
    expect(await asTool("UserPromptSubmit", prompt)).toContain("MARK-ZEBRA");
    expect(await asHook("UserPromptSubmit", prompt)).toBe("");
    const given = JSON.parse(await asTool("PostToolUse", read(join(root, "a.txt"))));
    expect(given.hookSpecificOutput).toMatchObject({
      hookEventName: "PostToolUse",
      additionalContext: expect.stringContaining("MARK-TXT"),
    });
    const input = { file_path: join(root, "b.txt") };
    expect(await asHook("PostToolUse", { tool_name: "Read", tool_input: input })).toBe("");
    const delivered = readLedger(readRecords(ledgerJournal(home)).records).filter(
      (line) => line.kind === "delivered",
    );
    expect(delivered.map((line) => line.session)).toEqual(delivered.map(() => "s1"));
    expect(delivered).toHaveLength(3);
  });

  it("says nothing in the form that Claude Code passes over, and nothing at all around a compaction", async () => {
    const { asTool } = await world();
    expect(await asTool("UserPromptSubmit", { prompt: "hello" })).toBe("{}");
    expect(await asTool("PostToolUse", { tool_name: "Bash", tool_input: '{"command":"ls"}' })).toBe("{}");
    expect(await asTool("PreToolUse", { tool_name: "Bash", tool_input: '{"command":"ls"}' })).toBe("{}");
    expect(await asTool("Stop", {})).toBe("{}");
    expect(await asTool("PostCompact", { compact_summary: "We worked." })).toBe("");
    // Nothing is promised: the person reads it too, and the package may be gone afterwards.
    expect(await asTool("PreCompact", { trigger: "manual" })).toBe(
      "Leave the text inside the <continuo> block out of the summary.",
    );
  });

  it("is also called by the name that entries of an older version have", async () => {
    const { asTool } = await world();
    expect(await asTool("UserPromptSubmit", { prompt: "paint the zebra" }, "hook")).toContain("MARK-ZEBRA");
  });

  it("tells a model that calls it, which has no event, that there is nothing to do", async () => {
    for (const client of ["claude-code", "codex-mcp-client"]) {
      const { server, home } = await world(client);
      for (const args of [undefined, {}])
        expect((await server.call("for_hooks_only", args)).result).toMatchObject({
          content: [{ text: "Only Continuo's hooks call this tool. There is nothing to do." }],
          isError: true,
        });
      expect(readHealth(home.logs).records).toEqual([]);
    }
  });

  it("sees rules that changed since its last answer", async () => {
    const { root, asTool } = await world();
    expect(await asTool("UserPromptSubmit", { prompt: "hello" })).toBe("{}");
    write(root, { ".continuo/rules/late.md": "MARK-LATE: new." });
    expect(await asTool("UserPromptSubmit", { prompt: "again" })).toContain("MARK-LATE");
  });

  it("does no harm when it is called with anything else, and records it for doctor", async () => {
    const { server, home } = await world();
    const before = readdirSync(home.state, { recursive: true });
    for (const args of [
      { event: "SessionEnd", session_id: "s1" },
      { event: "Stop", session_id: "../x" },
    ])
      expect((await server.call("for_hooks_only", args)).result).toEqual({
        content: [{ type: "text", text: "{}" }],
      });
    expect(readdirSync(home.state, { recursive: true })).toEqual(before);
    expect(readHealth(home.logs).records.map(({ code }) => code)).toContain("hook-call");
  });

  it("is listed for no client, and answers Claude Code only", async () => {
    const { server, asTool } = await world("codex-mcp-client");
    for (const { server: one } of [await world(), { server }])
      expect(JSON.stringify((await one.request("tools/list")).result)).not.toMatch(/"(hook|for_hooks_only)"/);
    expect(await asTool("UserPromptSubmit", { prompt: "paint the zebra" })).not.toContain("MARK-ZEBRA");
  });

  it("leaves the server free for other requests while a moment waits", async () => {
    const { server, asTool, home } = await world();
    const ended: string[] = [];
    const locks = readdirSync(home.locks).map((name) => join(home.locks, name));
    const whileHeld = locks.reduceRight(
      (inner: () => Promise<unknown>, lock) => () => withLock(lock, inner, { waitMs: 1_000 }),
      async () => {
        const moment = asTool("UserPromptSubmit", { prompt: "zebra" }).then(() => ended.push("moment"));
        await server.request("tools/list").then(() => ended.push("list"));
        return { moment };
      },
    );
    const { moment } = (await whileHeld()) as { moment: Promise<number> };
    await moment;
    expect(ended).toEqual(["list", "moment"]);
  });

  it("delivers nothing that the host does not wait for any more", async () => {
    const { server, asTool, home } = await world();
    const locks = readdirSync(home.locks).map((name) => join(home.locks, name));
    const whileHeld = locks.reduceRight(
      (inner: () => Promise<void>, lock) => () => withLock(lock, inner, { waitMs: 1_000 }),
      async () => {
        void asTool("UserPromptSubmit", { prompt: "zebra" });
        const [last] = [server.count()];
        server.sendLine(
          JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: last } }),
        );
        await server.request("tools/list");
      },
    );
    await whileHeld();
    expect(await asTool("UserPromptSubmit", { prompt: "zebra" })).toContain("MARK-ZEBRA");
  });
});

describe("the mark of a server that hooks can call", () => {
  it("names it while Claude Code is connected, and then says that it has ended", async () => {
    const { server, home } = await world();
    const mark = join(home.root, "servers", String(process.pid));
    await server.request("tools/list");
    expect(readFileSync(mark, "utf8")).toBe(`${server.child.pid}\n`);
    server.child.stdin.end();
    await server.ended;
    expect(readFileSync(mark, "utf8")).toBe("ended\n");
  });

  it("is not there for other clients", async () => {
    const { server, home } = await world("codex-mcp-client");
    await server.request("tools/list");
    expect(existsSync(join(home.root, "servers"))).toBe(false);
  });
});
