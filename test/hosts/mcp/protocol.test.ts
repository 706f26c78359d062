import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../../src/compose/tokens.ts";
import { ledgerJournal, readLedger } from "../../../src/moments/state/ledger.ts";
import { readHealth } from "../../../src/store/health.ts";
import { readRecords } from "../../../src/store/journal.ts";
import { CONTINUO } from "../../support/child.ts";
import { readOnlyDisk } from "../../support/disk.ts";
import { temporaryWorld, write } from "../../support/world.ts";
import { peakMegabytes, startServer, textOf } from "./server.ts";

function world(env: NodeJS.ProcessEnv = {}) {
  const made = temporaryWorld();
  return { ...made, server: startServer(CONTINUO, { ...made.env, ...env }, made.root) };
}

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly inputSchema: { readonly properties: Readonly<Record<string, { readonly description: string }>> };
}

describe("the MCP server", () => {
  it("says who it is, without instructions, and lists every tool with its schema if told to", async () => {
    const { server, home } = world();
    write(home.root, { "config.json": '{"tools": "all"}' });
    const { result } = await server.initialize();
    expect(result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "continuo" } });
    expect(result?.["capabilities"]).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    expect(result).not.toHaveProperty("instructions");
    const listed = (await server.request("tools/list")).result;
    const tools = listed?.["tools"] as { name: string; inputSchema: object }[];
    expect(tools.map((tool) => tool.name)).toEqual([
      "set_relevant_context",
      "get_relevant_context",
      "search_memories",
      "read_memory",
      "write_memory",
      "edit_memory",
      "build_context",
      "recent_activity",
      "propose_learning",
      "query_session",
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["setName", "items"] });
  });

  it("gives each tool a title, each argument a description, and says which tools change what is stored", async () => {
    const { server, home } = world();
    write(home.root, { "config.json": '{"tools": "all"}' });
    await server.initialize();
    const tools = (await server.request("tools/list")).result?.["tools"] as Listed[];
    const effects = Object.fromEntries(
      tools.map(({ name, annotations: { readOnlyHint, destructiveHint, openWorldHint } }) => {
        expect(openWorldHint, name).toBe(false);
        return [name, readOnlyHint ? "reads" : destructiveHint ? "replaces" : "adds"];
      }),
    );
    expect(effects).toEqual({
      set_relevant_context: "replaces",
      get_relevant_context: "reads",
      search_memories: "reads",
      read_memory: "reads",
      write_memory: "adds",
      edit_memory: "replaces",
      build_context: "reads",
      recent_activity: "reads",
      propose_learning: "adds",
      query_session: "reads",
    });
    for (const { name, title, inputSchema } of tools) {
      expect(title, name).toMatch(/^[A-Z][a-z' ]+$/);
      for (const [argument, { description }] of Object.entries(inputSchema.properties))
        expect(description, `${name}.${argument}`).toMatch(/^\S.{2,30}$/);
    }
  });

  it("keeps its first list, runs what is not on it, and tells Claude Code which tools to load", async () => {
    const { server, env, root } = world({ CLAUDE_CODE_SESSION_ID: "abc-1" });
    await server.initialize("2025-11-25", "claude-code");
    const list = async () => {
      const tools = (await server.request("tools/list")).result?.["tools"] as Listed[];
      return tools.map(({ title, annotations, ...tool }) => ({ ...tool, description: "", inputSchema: {} }));
    };
    const loaded = { _meta: { "anthropic/alwaysLoad": true } };
    const empty = [
      { name: "set_relevant_context", description: "", inputSchema: {} },
      { name: "get_relevant_context", description: "", inputSchema: {} },
      { name: "write_memory", description: "", inputSchema: {}, ...loaded },
      { name: "propose_learning", description: "", inputSchema: {}, ...loaded },
    ];
    expect(await list()).toEqual(empty);
    const written = await server.call("write_memory", { title: "Deploy", content: "Ships with [[fly]]." });
    expect(textOf(written)).toContain("memory://deploy");
    expect(await list()).toEqual(empty);
    expect(textOf(await server.call("search_memories", { query: "ships" }))).toContain("memory://deploy");

    const next = startServer(CONTINUO, env, root);
    await next.initialize();
    expect((await next.request("tools/list")).result).toMatchObject({
      tools: ["search_memories", "read_memory", "write_memory", "edit_memory"].map((name) => ({ name })),
    });
  });

  it("says in one sentence when to propose a learning, if it knows the session that the words are from", async () => {
    const { server } = world({ CLAUDE_CODE_SESSION_ID: "s1" });
    const { result } = await server.initialize();
    expect(result?.["instructions"]).toContain("propose_learning");
    expect(countTokens(String(result?.["instructions"]))).toBeLessThan(20);
  });

  it("takes every version of the protocol that hosts speak", async () => {
    for (const version of ["2025-11-25", "2025-06-18", "2024-11-05"]) {
      const { server } = world();
      expect((await server.initialize(version)).result).toMatchObject({ protocolVersion: version });
    }
    const { server } = world();
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    expect((await server.request("server/discover", { _meta })).result).toMatchObject({
      supportedVersions: ["2026-07-28"],
    });
    expect((await server.request("tools/list", { _meta })).result).toHaveProperty("tools");
  });

  it("stores a set for Claude Code's session and writes it to the ledger", async () => {
    const { server, home, root } = world({ CLAUDE_CODE_SESSION_ID: "abc-1" });
    await server.initialize();
    const set = await server.call("set_relevant_context", { setName: "files", items: ["a.md"] });
    expect(set.result).toEqual({ content: [{ type: "text", text: "Set files: 1 item" }] });
    expect(textOf(await server.call("get_relevant_context", {}))).toContain(join(root, "a.md"));
    const stored = JSON.parse(readFileSync(join(home.state, "claude-code", "abc-1.meta.json"), "utf8"));
    expect(stored.context).toEqual({ files: [join(root, "a.md")] });
    const lines = readLedger(readRecords(ledgerJournal(home)).records);
    expect(lines).toMatchObject([
      { kind: "context", host: "claude-code", session: "abc-1", setName: "files" },
    ]);
  });

  it("resolves paths in the project that Claude Code names", async () => {
    const { server } = world({ CLAUDE_PROJECT_DIR: "/the/project" });
    await server.initialize();
    await server.call("set_relevant_context", { setName: "files", items: ["a.md"] });
    expect(textOf(await server.call("get_relevant_context", {}))).toContain("/the/project/a.md");
  });

  it("separates Codex's sessions by what each call says", async () => {
    const { server, home } = world();
    await server.initialize("2025-06-18");
    const meta = (id: string) => ({ "x-codex-turn-metadata": { session_id: id, turn_id: "t" } });
    await server.call("set_relevant_context", { setName: "ports", items: ["3000"] }, meta("one"));
    expect(textOf(await server.call("get_relevant_context", {}, meta("one")))).toContain("3000");
    expect(textOf(await server.call("get_relevant_context", {}, meta("two")))).toContain("No context stored");
    expect(readFileSync(join(home.state, "codex", "one.meta.json"), "utf8")).toContain("3000");
  });

  it("takes no session from a variable that a client inherited from another host", async () => {
    const inherited = { CLAUDE_CODE_SESSION_ID: "c", COPILOT_AGENT_SESSION_ID: "p" };
    const { server, home } = world(inherited);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "copilot-cli", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    await server.request("server/discover", { _meta });
    await server.call("set_relevant_context", { setName: "ports", items: ["1"] }, _meta);
    expect(readdirSync(home.state)).toEqual(["copilot"]);
    const gemini = world(inherited);
    await gemini.server.initialize("2025-06-18", "gemini-cli-mcp-client");
    await gemini.server.call("set_relevant_context", { setName: "ports", items: ["1"] });
    expect(readdirSync(gemini.home.state)).toEqual(["mcp"]);
  });

  it("reports to the model what was wrong with a call, and to the client what was wrong with a request", async () => {
    const { server, home } = world();
    await server.initialize();
    const wrong = await server.call("set_relevant_context", { setName: "ports", items: ["70000"] });
    expect(wrong.result).toMatchObject({ isError: true });
    expect(textOf(wrong)).toContain("65535");
    expect((await server.call("set_relevant_context", {})).result).toMatchObject({ isError: true });
    expect((await server.call("no_such_tool", {})).error).toMatchObject({ code: -32602 });
    expect((await server.request("no/such/method")).error).toMatchObject({ code: -32601 });
    expect(readHealth(home.logs).records).toEqual([]);
  });

  it("continues after garbage and records only the first few errors", async () => {
    const { server, home } = world();
    server.sendLine("garbage {");
    server.sendLine("");
    await server.initialize();
    for (let i = 0; i < 20; i++) server.sendLine('{"hello": "world"}');
    server.sendLine("\u0000\ufffd[[[");
    server.sendLine("[]");
    expect(textOf(await server.call("get_relevant_context", {}))).toContain("No context");
    const records = readHealth(home.logs).records;
    expect(records.length).toBe(5);
    expect(records[0]).toMatchObject({ where: "mcp: protocol", code: "mcp-protocol" });
  });

  it("answers what comes before initialize, and what is no proper request, without a failure in Continuo", async () => {
    const { server, home } = world();
    // The protocol lets a server refuse or answer: what counts is that it does either.
    const early = await server.call("get_relevant_context", {});
    expect(early.error !== undefined || textOf(early).includes("No context")).toBe(true);
    await server.initialize();
    const wrong: unknown[] = [
      "files",
      1,
      null,
      [],
      { setName: 5, items: ["a"] },
      { setName: "files", items: "a" },
    ];
    for (const args of wrong) {
      const { result, error } = await server.call("set_relevant_context", args);
      expect(result?.["isError"] === true || error?.code === -32602, JSON.stringify(args)).toBe(true);
    }
    expect((await server.request("tools/call", {})).error).toMatchObject({ code: -32602 });
    expect((await server.request("resources/read", { uri: 7 })).error).toBeDefined();
    expect(textOf(await server.call("get_relevant_context", {}))).toContain("No context");
    expect(readHealth(home.logs).records).toEqual([]);
  });

  it("waits for the rest of half a line, and forgets it when nothing follows", async () => {
    const { server } = world();
    await server.initialize();
    const line = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "ping" });
    const answered = new Promise<string>((resolve) =>
      server.child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())),
    );
    server.child.stdin.write(line.slice(0, 20));
    await sleep(50);
    server.child.stdin.write(`${line.slice(20)}\n`);
    expect(await answered).toContain('"id":77');
    server.child.stdin.end(line.slice(0, 20));
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("loses no item when two servers write the same set at once", async () => {
    const first = world({ CLAUDE_CODE_SESSION_ID: "both" });
    const second = startServer(CONTINUO, { ...first.env, CLAUDE_CODE_SESSION_ID: "both" }, first.root);
    await Promise.all([first.server.initialize(), second.initialize()]);
    const merge = (server: typeof second, item: string) =>
      server.call("set_relevant_context", { setName: "notes", items: [item], mode: "merge" });
    const items = ["a", "b", "c", "d", "e"];
    await Promise.all(
      items.flatMap((item) => [merge(first.server, `first ${item}`), merge(second, `second ${item}`)]),
    );
    const stored = JSON.parse(textOf(await second.call("get_relevant_context", {}))) as { notes: string[] };
    expect(stored.notes.toSorted()).toEqual(
      ["first", "second"].flatMap((who) => items.map((item) => `${who} ${item}`)),
    );
  });

  it("answers a line of a megabyte and leaves, with a record, at one that has no end", async () => {
    const { server, home } = world();
    await server.initialize();
    const long = await server.call("set_relevant_context", { setName: "notes", items: ["x".repeat(1e6)] });
    expect(long.result).toMatchObject({ isError: true });
    expect(textOf(long).length).toBeLessThan(10_000);
    server.sendLine("x".repeat(50e6));
    expect((await server.ended).code).toBe(0);
    expect(readHealth(home.logs).records.at(-1)?.message).toContain("maximum size");
  });

  it("says on stderr, not on stdout, that it has no home", async () => {
    const { root, env } = temporaryWorld();
    const server = startServer(CONTINUO, { PATH: env["PATH"], TMPDIR: env["TMPDIR"] }, root);
    const { code, stdout, stderr } = await server.ended;
    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toContain("neither CONTINUO_HOME nor HOME");
  });

  it("on a read-only disk lists its tools, and a call says what cannot be written", async ({ skip }) => {
    const disk = readOnlyDisk();
    if (disk === undefined) return skip("tmpfs cannot be mounted here");
    const { root, env } = temporaryWorld();
    const server = startServer(CONTINUO, { ...env, CONTINUO_HOME: join(disk, "home") }, root);
    await server.initialize();
    const { result } = await server.call("set_relevant_context", { setName: "notes", items: ["x"] });
    expect(result?.["isError"]).toBe(true);
    expect(JSON.stringify(result)).toMatch(/EROFS|EACCES|read-only/);
    expect((await server.request("tools/list")).result?.["tools"]).not.toEqual([]);
  });

  it.runIf(process.platform === "linux")("stays under 70 MB, also after many calls", async () => {
    const { server } = world();
    await server.initialize();
    await server.request("tools/list");
    const started = peakMegabytes(server.child.pid!);
    for (let i = 0; i < 300; i++) {
      await server.call("set_relevant_context", { setName: "notes", items: [`note ${i}`] });
    }
    const worked = peakMegabytes(server.child.pid!);
    console.info(`MCP server: ${started.toFixed(1)} MB started, ${worked.toFixed(1)} MB after 300 calls`);
    expect(worked).toBeLessThan(70);
  });
});
