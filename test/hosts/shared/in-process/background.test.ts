import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createBackground } from "../../../../src/hosts/shared/in-process/background.ts";

function watched() {
  const failures: string[] = [];
  const background = createBackground((where, error) => {
    failures.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return { failures, background };
}

it("does one thing after the other, also after one that failed", async () => {
  const { background, failures } = watched();
  const done: string[] = [];
  const slow = (name: string, ms: number) => async () => {
    await sleep(ms);
    done.push(name);
  };
  background.begin("a", slow("a", 30));
  background.begin("b", () => Promise.reject(new Error("broken")));
  background.begin("c", slow("c", 1));
  await background.settle(5_000);
  expect(done).toEqual(["a", "c"]);
  expect(failures).toEqual(["b: broken"]);
});

it("does only the newest of what waits under one name, beside what runs already", async () => {
  const { background } = watched();
  const done: number[] = [];
  const numbered = (one: number) => async () => {
    await sleep(5);
    done.push(one);
  };
  background.begin("index", numbered(1));
  await sleep(1); // the first has begun
  for (const one of [2, 3, 4]) background.begin("index", numbered(one));
  await background.settle(5_000);
  expect(done).toEqual([1, 4]);
});

it("does what waits under one name for each thing that it is about", async () => {
  const { background } = watched();
  const done: string[] = [];
  const about = (session: string, one: number) =>
    background.begin("describe", async () => void done.push(`${session}${one}`), session);
  for (const one of [1, 2]) for (const session of ["a", "b"]) about(session, one);
  await background.settle(5_000);
  expect(done).toEqual(["a2", "b2"]);
});

it("does not wait forever: late work is told to stop and named, and nothing more begins", async () => {
  const { background, failures } = watched();
  let stopped = false;
  let begun = false;
  background.begin("endless", (signal) => {
    signal.addEventListener("abort", () => {
      stopped = true;
    });
    return new Promise(() => undefined);
  });
  background.begin("next", async () => {
    begun = true;
  });
  await background.settle(20);
  expect(stopped).toBe(true);
  expect(failures).toEqual(["endless: endless was not done 20 ms after the end"]);
  expect(begun).toBe(false);
});

it("counts work that stops when told to as no failure, and work that throws then as one", async () => {
  const patient = watched();
  const respects = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  patient.background.begin("index", respects);
  await patient.background.settle(20);
  expect(patient.failures).toEqual([]);
  const hasty = watched();
  hasty.background.begin("describe", async (signal) => {
    await respects(signal);
    signal.throwIfAborted();
  });
  await hasty.background.settle(20);
  expect(hasty.failures).toEqual(["describe: describe was not done 20 ms after the end"]);
});
