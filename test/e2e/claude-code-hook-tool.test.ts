import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences } from "../fakes/anthropic-requests.ts";
import { CLAUDE_CODE, startClaudeCode, userEnv } from "../support/claude-code.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";
import { continuo } from "./continuo.ts";

const missing = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const skip = typeof missing === "object" && "skip" in missing ? missing.skip : false;

/** Claude Code with hooks that call the server, and a record of every process that Continuo's entries start. */
async function world() {
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) =>
      classify(request) === "main" ? (queue.shift() ?? { text: "done" }) : { text: "ok" },
  });
  onTestFinished(() => server.close());
  const host = await startClaudeCode({ git: true, server });
  onTestFinished(() => host.dispose());
  const { project } = host;
  write(project, { ".continuo/rules/text.md": "---\nglobs: '*.txt'\n---\nMARK-TXT: text files." });
  await continuo({ env: userEnv(host, "tool"), project }, "install", "claude-code");
  const [runtime, started] = [join(dirname(host.home), "node"), join(dirname(host.home), "started.txt")];
  writeFileSync(runtime, `#!/bin/sh\necho "$2 $4 $5" >> ${started}\nexec ${process.execPath} "$@"\n`);
  chmodSync(runtime, 0o755);
  for (const file of [".claude/settings.json", ".claude.json"].map((name) => join(host.home, name)))
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(process.execPath, runtime));
  const read = (count: number): Reply[] =>
    Array.from({ length: count }, (_, i) => {
      write(project, { [`f${i}.txt`]: "x" });
      return { toolUses: [{ name: "Read", input: { file_path: join(project, `f${i}.txt`) } }] };
    });
  const turn = async (prompt: string, replies: Reply[], args: string[] = []) => {
    queue = replies;
    const done = await host.run({ prompt, args: ["--permission-mode", "bypassPermissions", ...args] });
    expect(done.code, done.stderr).toBe(0);
    return done.requests.filter((request) => classify(request) === "main");
  };
  const processes = () => {
    const lines = existsSync(started) ? readFileSync(started, "utf8").split("\n") : [];
    return lines.map((line) => line.trim()).filter((line) => line !== "");
  };
  return { ...host, turn, read, processes };
}

describe.skipIf(skip)(`hooks of Claude Code ${CLAUDE_CODE} that call the MCP server`, () => {
  it("start no process at a prompt, at a tool call and at its end, and no model sees the tool", async () => {
    const { turn, read, processes } = await world();
    const requests = await turn("read them all", read(20));
    expect(requests).toHaveLength(21);
    for (const request of requests.slice(1)) expect(countOccurrences(request, "MARK-TXT")).toBe(1);
    for (const request of requests) expect(request.raw).not.toContain("mcp__continuo__for_hooks_only");
    expect(processes().sort()).toEqual(["hook SessionEnd", "hook SessionStart", "mcp"]);
  });

  it("after a compaction name a tool that says whom it is for, and promise nothing", async () => {
    const { turn, read } = await world();
    const id = randomUUID();
    await turn("read", read(2), ["--session-id", id]);
    await turn("/compact", [], ["--resume", id]);
    const [request] = await turn("go on", [], ["--resume", id]);
    const [, used] =
      /<tools-used-before-summary>(.*?)<\/tools-used-before-summary>/.exec(request?.raw ?? "") ?? [];
    expect(used).toBe("Read, mcp__continuo__for_hooks_only");
    expect(request?.raw.includes("is delivered again")).toBe(false);
  });

  it("become commands again where the server is left out, and one process answers the prompt", async () => {
    const { turn, read, processes, home } = await world();
    const settings = join(home, ".claude", "settings.json");
    const before = readFileSync(settings, "utf8");
    const requests = await turn("read", read(2), ["--strict-mcp-config"]);
    expect(requests).toHaveLength(3);
    const started = processes().filter((line) => !/Session(Start|End)/.test(line));
    // Hooks are commands again from the session's start on; Claude Code may take the new settings a little later.
    expect(started.filter((line) => line.includes("UserPromptSubmit"))).toHaveLength(1);
    expect(readFileSync(settings, "utf8")).not.toBe(before);
    expect(readFileSync(settings, "utf8")).not.toContain("mcp_tool");
  });
});
