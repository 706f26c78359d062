import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countOccurrences, requestText } from "../fakes/anthropic-requests.ts";
import { CONTINUO } from "../support/child.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { mainOf, missingClaudeCode, wiredClaudeCode } from "../support/claude-code-wired.ts";

const missing = await missingClaudeCode();

const TOOL = "mcp__continuo__set_relevant_context";

describe.skipIf(missing !== undefined)(`the MCP server in Claude Code ${CLAUDE_CODE}`, () => {
  it("lets the model keep a set, which the resumed session is given", async () => {
    const host = await wiredClaudeCode({ files: { "spec.md": "# Spec" } });
    const { cli } = host;

    const entry = { command: process.execPath, args: [CONTINUO, "mcp"], alwaysLoad: true };
    const config = JSON.stringify({ mcpServers: { continuo: entry } });
    const args = ["--allowedTools", "mcp__continuo", "--mcp-config", config];
    const id = randomUUID();
    const keep = (setName: string, item: string) => ({ name: TOOL, input: { setName, items: [item] } });
    host.replies({ toolUses: [keep("files", "spec.md"), keep("ports", "70000")] });

    const first = await host.run({ prompt: "read the spec", sessionId: id, args });
    expect(first.code, first.stderr).toBe(0);
    const mains = mainOf(first.requests);
    expect(mains[0]?.body.tools?.map((tool) => tool.name)).toContain(TOOL);
    expect(requestText(mains[0]!).split("Call propose_learning when")).toHaveLength(2);
    // The tools' answers are in the request after the calls; the refused one is marked.
    expect(mains[1]?.raw).toContain("Set files: 1 item");
    expect(mains[1]?.raw).toContain("65535");
    expect(mains[1]?.raw.split('"is_error":true')).toHaveLength(2);

    const spec = join(host.project, "spec.md");
    const stored = join(host.home, ".continuo", "state", "claude-code", `${id}.meta.json`);
    expect(JSON.parse(readFileSync(stored, "utf8")).context).toEqual({ files: [spec] });

    const second = await host.run({ prompt: "go on", resume: id, args });
    expect(requestText(second.requests[0]!)).toContain(`Relevant files:\n- ${spec}`);
    expect(countOccurrences(second.requests[0]!, "Relevant files:")).toBe(1);
    expect(await cli("sessions", "receipt", id)).toContain(`context changed (files): + ${spec}`);
    expect(await cli("doctor")).toContain("No problems found: ");
  });
});
