import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeCode } from "../../../../src/hosts/claude-code/hook.ts";
import { codex } from "../../../../src/hosts/codex/hook.ts";
import { copilot } from "../../../../src/hosts/copilot/hook.ts";
import { gemini } from "../../../../src/hosts/gemini/hook.ts";
import type { HookHost } from "../../../../src/hosts/port/hook-host.ts";
import { goesOnAt } from "../../../../src/hosts/shared/hook/events.ts";
import { hookCommand } from "../../../../src/hosts/shared/install/hook-command.ts";
import { sessionLedger } from "../../../../src/moments/state/ledger.ts";
import { CONTINUO, finished } from "../../../support/child.ts";
import { WIRING } from "../../../support/wiring.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const RULES = {
  "rules/done.md": `---
description: none
checks: { answer: { never: "flattery", reaction: deny } }
---
No flattery.`,
};

/** Ends when it may, as work that takes long would; after a minute also without that. */
const SLOW = `process.on("exit", () => {
  const { existsSync, writeFileSync } = require("node:fs");
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 1200 && !existsSync(process.env.MAY_END); i++) Atomics.wait(pause, 0, 0, 50);
  writeFileSync(process.env.GONE, "");
});`;

function wired() {
  const { root, home, env: quick } = temporaryWorld();
  const folder = join(root, "..");
  const patient = JSON.stringify({ momentDeadlineMs: 10_000, sourceDeadlineMs: 8_000 });
  write(home.root, { ...RULES, "config.json": patient });
  write(folder, { "slow.cjs": SLOW });
  const gone = join(folder, "gone");
  const [NODE_OPTIONS, MAY_END] = [`--require ${join(folder, "slow.cjs")}`, join(folder, "may-end")];
  const env = { ...quick, NODE_OPTIONS, MAY_END, GONE: gone };
  return {
    isGone: () => existsSync(gone),
    letEnd: () => write(folder, { "may-end": "" }),
    ledger: (host: string) => sessionLedger(home, { host, id: "s1" }),
    hook(host: HookHost, event: string, more: object = {}, isSlow = false) {
      const wiring = { ...WIRING, runtime: process.execPath, script: CONTINUO };
      const command = hookCommand(host.name, wiring, event, { goesOn: goesOnAt(host, event) });
      const common = { session_id: "s1", sessionId: "s1", cwd: root, source: "startup", prompt: "x" };
      const payload = { ...common, ...more };
      const child = spawn("sh", ["-c", command], { cwd: root, env: isSlow ? env : quick });
      child.stdin.end(JSON.stringify(payload));
      return finished(child);
    },
    answerIn: (text: string) =>
      write(quick["HOME"] ?? "", {
        ".copilot/session-state/s1/events.jsonl": [
          { type: "assistant.message", data: { content: text } },
          { type: "hook.start", data: { hookType: "agentStop" } },
        ]
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(""),
      }),
  };
}

const HOSTS = [claudeCode, codex, copilot, gemini];

it.each(HOSTS.map((host) => [host.name, host] as const))(
  "%s: a hook is over when the agent has its answer, and its process goes on",
  async (_, host) => {
    const { hook, isGone, letEnd, ledger, answerIn } = wired();
    const kindOf = (kind: string) =>
      Object.keys(host.events).find((name) => host.events[name]?.kind === kind);
    await hook(host, host.opening);
    const answer = "What flattery!";
    answerIn(answer);
    const stop = { last_assistant_message: answer, prompt_response: answer, stop_hook_active: false };
    const stopped = await hook(host, kindOf("idle") ?? "", stop, true);
    expect([isGone(), stopped.code, stopped.stderr]).toEqual([false, 0, ""]);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ decision: "block" });
    const end = kindOf("end");
    if (end === undefined) return letEnd();
    expect(await hook(host, end, {}, true)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(isGone()).toBe(false);
    await expect.poll(() => ledger(host.name).at(-1)?.kind).toBe("ended");
    letEnd();
    await expect.poll(isGone).toBe(true);
  },
  40_000,
);
