import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { answerStop } from "../../src/entries/mcp-moments.ts";
import { createBackground } from "../../src/hosts/shared/in-process/background.ts";

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
