import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerToolCall } from "../../../src/entries/mcp-moments.ts";
import { stateFile } from "../../../src/moments/state/session-state.ts";
import { temporaryWorld, write } from "../../support/world.ts";

/** A server of Claude Code, and what its hooks call. */
function server(rules: Record<string, string> = { ".continuo/rules/one.md": "The one rule." }) {
  const { env, root, home } = temporaryWorld(rules);
  write(home.root, { "config.json": '{ "momentDeadlineMs": 60000, "sourceDeadlineMs": 30000 }' });
  write(root, { "src/a.ts": "export const a = 1;\n" });
  const session = { host: "claude-code" as const, id: "s1" };
  const hook = (event: string, more: Record<string, string> = {}, signal = new AbortController().signal) =>
    answerToolCall({ event, session_id: session.id, cwd: root, ...more }, signal, env, root);
  return {
    home,
    hook,
    prompt: (prompt: string) => hook("UserPromptSubmit", { prompt }),
    read: () =>
      hook("PostToolUse", {
        tool_name: "Read",
        tool_input: JSON.stringify({ file_path: join(root, "src/a.ts") }),
      }),
    state: () => stateFile(home, session, { lockWaitMs: 5000, onDamaged: () => undefined }).read(),
    health: () => {
      const path = join(home.logs, "health-000001.jsonl");
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
  };
}

/** What the context source remembers when the agent goes idle. */
const stampsIn = (memo: unknown) => Object.keys((memo as { stamps?: object } | undefined)?.stamps ?? {});

describe("hooks that the MCP server answers", () => {
  test("a prompt is answered with what is delivered, a Stop with nothing", async () => {
    const { prompt, hook } = server();
    expect(await prompt("go on")).toContain("The one rule.");
    expect(await hook("Stop")).toBe("{}");
  });

  test("a Stop is answered before its work is done, and the work is done", async () => {
    const { prompt, read, hook, state, health } = server();
    await prompt("go on");
    await read();
    expect(await hook("Stop")).toBe("{}");
    expect(stampsIn(state()?.memos["context"])).toEqual([]);
    await expect.poll(() => stampsIn(state()?.memos["context"]), { timeout: 20_000 }).toEqual(["src/a.ts"]);
    expect(health()).toBe("");
  });

  test("a prompt that comes meanwhile loses nothing of either", async () => {
    const { prompt, read, hook, state, home } = server();
    await prompt("go on");
    await read();
    await hook("Stop");
    write(join(home.root, "..", "project"), { ".continuo/rules/two.md": "The second rule." });
    expect(await prompt("and now?")).toContain("The second rule.");
    await expect.poll(() => stampsIn(state()?.memos["context"]), { timeout: 20_000 }).toEqual(["src/a.ts"]);
    expect(Object.keys(state()?.delivered ?? {})).toContain("rules/.continuo/rules/two.md");
    expect(await prompt("and now?")).not.toContain("The second rule.");
  });

  test("a Stop whose call is cancelled is handled all the same", async () => {
    const { prompt, read, hook, state } = server();
    await prompt("go on");
    await read();
    expect(await hook("Stop", {}, AbortSignal.abort())).toBe("{}");
    await expect.poll(() => stampsIn(state()?.memos["context"]), { timeout: 20_000 }).toEqual(["src/a.ts"]);
  });

  test("arguments that name no event are recorded, and the answer is empty", async () => {
    const { hook, health } = server();
    expect(await hook("Nonsense")).toBe("{}");
    expect(health()).toContain("names no event");
  });
});
