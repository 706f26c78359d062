import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences } from "../fakes/anthropic-requests.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { CLAUDE_CODE, startClaudeCode, userEnv } from "../support/claude-code.ts";
import { claudeCodeScreen, leave } from "../support/claude-code-screen.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { hasTmux } from "../support/terminal.ts";
import { write } from "../support/world.ts";

const missing = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const skip = typeof missing === "object" && "skip" in missing ? missing.skip : !hasTmux;

describe.skipIf(skip)(`continuo rules add in a running session of Claude Code ${CLAUDE_CODE}`, () => {
  it("reaches the model at the next prompt, or with the result of a tool call; a removed rule is withdrawn", async () => {
    let queue: Reply[] = [];
    let asked = 0;
    const server = await startFakeAnthropic({
      respond: (request) =>
        classify(request) === "main" ? (queue.shift() ?? { text: `answer ${++asked}` }) : { text: "title" },
    });
    onTestFinished(() => server.close());
    const host = await startClaudeCode({ git: true, server });
    onTestFinished(() => host.dispose());
    write(host.project, { "src/a.ts": "export const a = 1;\n" });
    const env = userEnv(host, "tool");
    const cli = async (...args: string[]) => {
      const done = await runScript(CONTINUO, args, { env, cwd: host.project });
      expect(done.code, done.stderr).toBe(0);
      return done.stdout;
    };
    await cli("install", "claude-code");
    const screen = await claudeCodeScreen(host);
    onTestFinished(() => screen.close());
    const last = () => server.requests.filter((request) => classify(request) === "main").at(-1)!;
    const say = async (prompt: string, answer: number) => {
      await screen.type(prompt);
      await screen.press("Enter");
      await screen.until(new RegExp(`● answer ${answer}`));
      return last();
    };
    await screen.until(/\n❯/);
    expect(countOccurrences(await say("hello", 1), "RULE-ADDED")).toBe(0);

    const added = await cli("rules", "add", "RULE-ADDED: say please.", "--name", "please");
    expect(added).toContain("in running ones with the next prompt or tool call");
    expect(countOccurrences(await say("go on", 2), "RULE-ADDED: say please.")).toBe(1);

    await cli("rules", "add", "RULE-FILES: no default exports.", "--globs", "src/**/*.ts");
    queue = [{ toolUses: [{ name: "Read", input: { file_path: `${host.project}/src/a.ts` } }] }];
    const read = await say("look at it", 3);
    expect(countOccurrences(read, "RULE-FILES: no default exports.")).toBe(1);
    expect(countOccurrences(read, "RULE-ADDED: say please.")).toBe(1);

    await cli("rules", "remove", "please", "--yes");
    expect(countOccurrences(await say("and now", 4), "This rule no longer holds.")).toBe(1);
    await leave(screen);
  }, 240_000);
});
