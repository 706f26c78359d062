import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { countOccurrences } from "../fakes/anthropic-requests.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { mainOf, missingClaudeCode, wiredClaudeCode } from "../support/claude-code-wired.ts";
import { write } from "../support/world.ts";

const missing = await missingClaudeCode();

/** Claude Code with hooks that call the server, and a record of every process that Continuo's entries start. */
async function world() {
  const files = { ".continuo/rules/text.md": "---\nglobs: '*.txt'\n---\nMARK-TXT: text files." };
  const host = await wiredClaudeCode({ files, form: "tool" });
  const { project } = host;
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
  const turn = async (...what: Parameters<typeof host.turn>) => mainOf(await host.turn(...what));
  const processes = () => {
    const lines = existsSync(started) ? readFileSync(started, "utf8").split("\n") : [];
    return lines.map((line) => line.trim()).filter((line) => line !== "");
  };
  return { ...host, turn, read, processes };
}

describe.skipIf(missing !== undefined)(`hooks of Claude Code ${CLAUDE_CODE} that call the MCP server`, () => {
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
