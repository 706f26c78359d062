import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestText } from "../fakes/anthropic-requests.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import {
  expectOnce,
  expectPrefix,
  missingClaudeCode,
  wiredClaudeCode,
} from "../support/claude-code-wired.ts";

const missing = await missingClaudeCode();

describe.skipIf(missing !== undefined)(`context in Claude Code ${CLAUDE_CODE}`, () => {
  it("gives a resumed session its sets, missing files, changes and where it stopped, in the first request", async () => {
    const host = await wiredClaudeCode({ files: { "src/a.ts": "1\n2\n", "spec.md": "# Spec" } });
    const { cli } = host;
    const id = randomUUID();
    host.replies({ toolUses: [{ name: "Read", input: { file_path: join(host.project, "src/a.ts") } }] });
    const first = (await host.run({ prompt: "look at the parser", sessionId: id })).requests;
    await cli("sets", "set", "files", join(host.project, "spec.md"), "/gone/notes.md", "--session", id);
    await cli("sets", "set", "ports", "3000", "--session", id);
    appendFileSync(join(host.project, "src/a.ts"), "3\n4\n");

    const second = (await host.run({ prompt: "go on", resume: id })).requests;
    const text = requestText(second[0]!);
    expect(text).toContain(`Relevant files:\n- ${join(host.project, "spec.md")}\n(1 files not found)`);
    expect(text).toContain("ports: 3000");
    expect(text).toContain("- Changed since it was last idle: src/a.ts (+2 lines)");
    expect(text).toContain('The user\'s last request: "look at the parser" (answered)');
    expect(text).toContain("?? src/a.ts");
    expectOnce(second[0], "Relevant files:");
    expectPrefix([...first, ...second]);

    await host.compact(id);
    const third = (await host.run({ prompt: "and on", resume: id })).requests;
    // The host puts the hook's answer into the conversation: one sentence, without the files that the snapshot has.
    const [output = ""] =
      requestText(third[0]!).match(/<local-command-stdout>[\s\S]*?<\/local-command-stdout>/) ?? [];
    expect(output).not.toMatch(/spec\.md|src\/a\.ts/);
    expectOnce(third[0], "Relevant files:");
    expect(requestText(third[0]!)).toContain("(1 files not found)");
    const receipt = await cli("sessions", "receipt", id);
    expect(receipt).toContain("context changed (ports): + 3000");
    expect(receipt).toContain("context shown (resume)");
    expect(await cli("doctor")).toContain("No problems found: ");
  });
});
