import { describe, expect, it, onTestFinished } from "vitest";
import { countOccurrences } from "../fakes/anthropic-requests.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { claudeCodeScreen, leave } from "../support/claude-code-screen.ts";
import { mainOf, missingClaudeCode, wiredClaudeCode } from "../support/claude-code-wired.ts";
import { hasTmux } from "../support/terminal.ts";

const missing = await missingClaudeCode();

describe.skipIf(missing !== undefined || !hasTmux)(
  `continuo rules add in a running session of Claude Code ${CLAUDE_CODE}`,
  () => {
    it("reaches the model at the next prompt, or with the result of a tool call; a removed rule is withdrawn", async () => {
      let asked = 0;
      const host = await wiredClaudeCode({
        files: { "src/a.ts": "export const a = 1;\n" },
        form: "tool",
        otherwise: () => ({ text: `answer ${++asked}` }),
      });
      const { cli, server } = host;
      const screen = await claudeCodeScreen(host);
      onTestFinished(() => screen.close());
      const last = () => mainOf(server.requests).at(-1)!;
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
      host.replies({ toolUses: [{ name: "Read", input: { file_path: `${host.project}/src/a.ts` } }] });
      const read = await say("look at it", 3);
      expect(countOccurrences(read, "RULE-FILES: no default exports.")).toBe(1);
      expect(countOccurrences(read, "RULE-ADDED: say please.")).toBe(1);

      await cli("rules", "remove", "please", "--yes");
      expect(countOccurrences(await say("and now", 4), "This rule no longer holds.")).toBe(1);
      await leave(screen);
    }, 240_000);
  },
);
