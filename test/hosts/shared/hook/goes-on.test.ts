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
import { homeAt } from "../../../../src/store/home.ts";
import { place, shell } from "../../../findings/program.ts";
import { CONTINUO } from "../../../support/child.ts";
import { write } from "../../../support/world.ts";

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
  const at = place();
  write(at.home, RULES);
  write(at.folder, { "slow.cjs": SLOW });
  const gone = join(at.folder, "gone");
  const [NODE_OPTIONS, MAY_END] = [`--require ${join(at.folder, "slow.cjs")}`, join(at.folder, "may-end")];
  const env = { ...at.env, NODE_OPTIONS, MAY_END, GONE: gone };
  return {
    isGone: () => existsSync(gone),
    letEnd: () => write(at.folder, { "may-end": "" }),
    ledger: (host: string) => sessionLedger(homeAt(at.home), { host, id: "s1" }),
    hook(host: HookHost, event: string, more: object = {}, isSlow = false) {
      const wiring = {
        runtime: process.execPath,
        script: CONTINUO,
        answered: new Set<never>(),
        guards: false,
      };
      const command = hookCommand(host.name, wiring, event, {
        goesOn: goesOnAt(host, event),
      });
      const payload = {
        session_id: "s1",
        sessionId: "s1",
        cwd: at.root,
        source: "startup",
        prompt: "x",
        ...more,
      };
      return shell(at, command, { stdin: JSON.stringify(payload), env: isSlow ? env : at.env });
    },
    answerIn: (text: string) =>
      write(at.env["HOME"] ?? "", {
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
