import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { answerSocketCall, answerStop } from "../../src/entries/mcp-moments.ts";
import { createBackground } from "../../src/hosts/shared/in-process/background.ts";
import { temporaryWorld } from "../support/world.ts";

function stopping() {
  const failures: unknown[] = [];
  const background = createBackground((_, error) => failures.push(error));
  return { background, failures };
}

it("a stop is answered when it is known whether it is refused, and the work goes on", async () => {
  const { background, failures } = stopping();
  let isDone = false;
  const answer = await answerStop(background, "stop", "s1", async (_, decided) => {
    decided("{}");
    await sleep(50);
    isDone = true;
  });
  expect([answer, isDone]).toEqual(["{}", false]);
  await background.settle(1_000);
  expect([isDone, failures]).toEqual([true, []]);
});

it("a refusal that nobody waits for any more fails, so that nothing is recorded as refused", async () => {
  const { background, failures } = stopping();
  let isRecorded = false;
  const work = async (_: AbortSignal, decided: (printed: string) => void) => {
    await sleep(50);
    decided('{"decision":"block"}');
    isRecorded = true;
  };
  expect(await answerStop(background, "stop", "s1", work, 10)).toBe("");
  await background.settle(1_000);
  expect([isRecorded, failures]).toMatchObject([false, [{ code: "stop-late" }]]);
});

const RULES = { ".continuo/rules/own.md": "Keep it small." };

function called(over: NodeJS.ProcessEnv = {}, event = "SessionStart") {
  const world = temporaryWorld(RULES);
  const env: NodeJS.ProcessEnv = { ...world.env, PWD: world.root, ...over };
  const payload = Buffer.from(JSON.stringify({ session_id: "s1", cwd: world.root, source: "startup" }));
  return answerSocketCall({ host: "codex", event, env, payload }, new AbortController().signal, world.env);
}

it("a hook that asks over the socket gets what its process would print", async () => {
  expect(await called()).toContain("Keep it small.");
});

it("one that names another home, or an event that a process answers, is not answered", async () => {
  const other = temporaryWorld();
  await expect(called({ CONTINUO_HOME: other.home.root })).rejects.toMatchObject({ code: "not-asked" });
  await expect(called({ HOME: other.root })).rejects.toMatchObject({ code: "not-asked" });
  for (const event of ["PreToolUse", "Stop", "SessionEnd"])
    await expect(called({}, event)).rejects.toMatchObject({ code: "not-asked" });
});

it("brings no program and no option of its own: the PATH is the server's", async () => {
  const { root } = temporaryWorld({ "bin/git": "#!/bin/sh\ntouch ran\n" });
  expect(await called({ PATH: `${root}/bin`, NODE_OPTIONS: "--bad-option" })).toContain("Keep it small.");
});
