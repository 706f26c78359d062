import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences, requestText, sharedPrefix } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { CLAUDE_CODE, startClaudeCode } from "../support/claude-code.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";

const missing = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const skip = typeof missing === "object" && "skip" in missing ? missing.skip : false;

describe.skipIf(skip)(`context in Claude Code ${CLAUDE_CODE}`, () => {
  it("gives a resumed session its sets, missing files, changes and where it stopped, in the first request", async () => {
    let queue: Reply[] = [];
    const summary: Reply = { text: "<analysis>x</analysis>\n<summary>We read.</summary>" };
    const server = await startFakeAnthropic({
      respond: (request) =>
        classify(request) === "compaction" ? summary : (queue.shift() ?? { text: "done" }),
    });
    onTestFinished(() => server.close());
    const host = await startClaudeCode({ git: true, server });
    onTestFinished(() => host.dispose());
    write(host.project, { "src/a.ts": "1\n2\n", "spec.md": "# Spec" });
    const env = { HOME: host.home, TMPDIR: join(host.home, "..", "tmp"), PATH: "/usr/bin:/bin" };
    const cli = async (...args: string[]) => {
      const done = await runScript(CONTINUO, args, { env, cwd: host.project });
      expect(done.stderr).toBe("");
      return done.stdout;
    };
    await cli("install", "claude-code");
    const id = randomUUID();
    queue = [{ toolUses: [{ name: "Read", input: { file_path: join(host.project, "src/a.ts") } }] }];
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

function expectOnce(request: ModelRequest | undefined, marker: string): void {
  expect(countOccurrences(request!, marker), marker).toBe(1);
}

function expectPrefix(requests: readonly ModelRequest[]): void {
  for (let i = 1; i < requests.length; i++) {
    expect(sharedPrefix(requests[i - 1]!, requests[i]!)).toEqual({
      system: true,
      tools: true,
      messages: true,
    });
  }
}
