import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST_FORMS, tokensOf } from "../../../bench/tools/as-sent.ts";
import { loadHistory } from "../../../src/hosts/index.ts";
import { type OfferedTools, offeredTools } from "../../../src/moments/offers/offered-tools.ts";
import type { ToolDefinition, ToolPlace } from "../../../src/moments/ports/tool.ts";
import { OFFERED } from "../../support/offered.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const NOW = Date.UTC(2026, 10, 16);
const NOTE = "# Deploy\n\nShips with [[fly]].\n";
const SESSION = { type: "user", sessionId: "old", cwd: "/", message: { role: "user", content: "hello" } };

function world(files: { notes?: boolean; sessions?: boolean; config?: object } = {}) {
  const { env, home, root } = temporaryWorld();
  if (files.notes) write(home.root, { "memory/deploy.md": NOTE });
  if (files.sessions) transcript(env, "old", NOW - 24 * 60 * 60_000);
  if (files.config) write(home.root, { "config.json": JSON.stringify(files.config) });
  const failures: string[] = [];
  const offered = (
    given: Partial<ToolPlace> & Pick<OfferedTools, "defers"> = {},
    tools: readonly ToolDefinition[] = OFFERED.tools,
  ) => {
    const { defers = false, ...place } = given;
    const all = { home, env, cwd: root, now: NOW, history: loadHistory, namesSession: true, ...place };
    return offeredTools(tools, all, { defers, onFailure: (where) => failures.push(where) });
  };
  const names = async (...given: Parameters<typeof offered>) =>
    (await offered(...given)).map(({ name }) => name);
  return { env, home, offered, names, failures };
}

function transcript(env: NodeJS.ProcessEnv, id: string, modified: number): void {
  const folder = join(env["HOME"] ?? "", ".claude", "projects", "-shop");
  mkdirSync(folder, { recursive: true });
  write(folder, { [`${id}.jsonl`]: `${JSON.stringify({ ...SESSION, sessionId: id })}\n` });
  utimesSync(join(folder, `${id}.jsonl`), modified / 1000, modified / 1000);
}

describe("the tools that a session is given", () => {
  for (const { host, sent, ...place } of HOST_FORMS) {
    it(`cost at most 300 tokens in ${host} without notes and sessions`, async () => {
      expect(tokensOf(sent(await world().offered(place)))).toBeLessThanOrEqual(300);
    });

    // Gemini CLI adds a parameter of 54 tokens to each.
    const bound = host === "Gemini CLI" ? 700 : 580;
    it(`cost at most ${bound} tokens in ${host} with both`, async () => {
      const tools = await world({ notes: true, sessions: true }).offered(place);
      expect(tools.map(({ name }) => name)).toContain("query_session");
      expect(tokensOf(sent(tools))).toBeLessThanOrEqual(bound);
    });
  }

  it("are those with something to work on", async () => {
    const writing = ["set_relevant_context", "write_memory"];
    const reading = ["search_memories", "read_memory"];
    expect(await world().names()).toEqual([...writing, "propose_learning"]);
    expect(await world({ notes: true }).names()).toEqual([
      "set_relevant_context",
      ...reading,
      "write_memory",
      "edit_memory",
      "propose_learning",
    ]);
    expect(await world({ sessions: true }).names()).toEqual([
      "set_relevant_context",
      "search_memories",
      "write_memory",
      "propose_learning",
      "query_session",
    ]);
    // What is kept for a session that nobody names is never found again.
    expect(await world().names({ namesSession: false })).toEqual(["write_memory"]);
  });

  it("include those that are needed rarely where the host defers them", async () => {
    expect(await world().names({ defers: true })).toEqual([
      "set_relevant_context",
      "get_relevant_context",
      "write_memory",
      "propose_learning",
    ]);
    const all = OFFERED.tools.map(({ name }) => name);
    expect(await world({ notes: true, sessions: true }).names({ defers: true })).toEqual(all);
  });

  it("are what the setting says: all, none, or these; a source that is turned off has none", async () => {
    const all = OFFERED.tools.map(({ name }) => name);
    expect(await world({ config: { tools: "all" } }).names()).toEqual(all);
    expect(await world({ config: { tools: "off" } }).names()).toEqual([]);
    const some = await world({ config: { tools: "build_context, query_session, gone" } }).offered();
    expect(some.map(({ name, need }) => [name, need])).toEqual([
      ["build_context", "often"],
      ["query_session", "often"],
    ]);
    expect(await world({ config: { tools: 7 } }).names()).toContain("write_memory");
    const off = { sources: { memory: { enabled: false } }, tools: "all" };
    expect(await world({ config: off }).names()).toEqual([
      "set_relevant_context",
      "get_relevant_context",
      "propose_learning",
      "query_session",
    ]);
  });

  it("are the same when the first session is resumed: it is no past session of its own", async () => {
    const { env, names } = world();
    const before = await names();
    transcript(env, "s1", NOW - 60_000);
    expect(await names({ session: { host: "claude-code", id: "s1" } })).toEqual(before);
    // Whose tools they are is not known: only what is older than any prompt cache counts.
    expect(await names()).toEqual(before);
    expect(await names({ now: NOW + 2 * 60 * 60_000 })).toContain("query_session");
    expect(await names({ session: { host: "claude-code", id: "s2" } })).toContain("query_session");
  });

  it("are none for a child, and a call by a child is refused", async () => {
    const child = { host: "copilot", id: "c", parent: "p" };
    const { names, home, env } = world({ notes: true, sessions: true });
    expect(await names({ session: child })).toEqual([]);
    for (const tool of OFFERED.tools) {
      const call = { session: child, cwd: "/", home, env, now: NOW, history: loadHistory };
      const answer = await tool.run({}, call);
      expect(answer).toMatchObject({ ok: false, text: /subagent/ });
    }
  });

  it("include one whose check fails, and the failure is recorded", async () => {
    const { names, failures } = world();
    const [tool] = OFFERED.tools;
    if (tool === undefined) throw new Error("no tools");
    const broken = {
      ...tool,
      hasUse: () => {
        throw new Error("broken");
      },
    };
    expect(await names({}, [broken])).toEqual([tool.name]);
    expect(failures).toEqual([`tool ${tool.name}`]);
  });
});
