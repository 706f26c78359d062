import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { activityOf } from "../../src/moments/state/activity.ts";
import { peekState } from "../../src/moments/state/session-state.ts";
import { homeAt } from "../../src/store/home.ts";
import { CLAUDE_CODE, programOf, startClaudeCode } from "../support/claude-code.ts";
import { orSkipReason } from "../support/packages.ts";
import { continuo } from "./continuo.ts";

const missing = !Array.isArray(await orSkipReason(programOf()));
const ID = "6f0b0f6e-5b5a-4b63-9a51-0c9d3f1f2a11";

describe.skipIf(missing)(`the activity of a session of Claude Code ${CLAUDE_CODE}`, () => {
  it("is working in the first turn of claude -p, and ended after it", async () => {
    const host = await startClaudeCode({ git: true });
    onTestFinished(host.dispose);
    const env = { HOME: host.home, TMPDIR: join(dirname(host.home), "tmp"), PATH: "/usr/bin:/bin" };
    await continuo({ env, project: host.project }, "install", "claude-code");
    const home = homeAt(join(host.home, ".continuo"));
    const activity = () => {
      const state = peekState(home, { host: "claude-code", id: ID });
      return state && activityOf(state, Date.now()).doing;
    };
    const seen: unknown[] = [];
    host.server.respondWith(() => {
      seen.push(activity());
      return { text: "ok" };
    });
    await host.run({ prompt: "Fix the cart", sessionId: ID });
    expect(seen.at(-1)).toBe("working");
    // The host does not wait for its last hooks.
    await expect.poll(activity, { timeout: 30_000 }).toBe("ended");
  });
});
