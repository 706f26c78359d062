import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { loadHistory } from "../../../../src/hosts/index.ts";
import { createBase } from "../../../../src/hosts/shared/in-process/base.ts";
import { planReadAhead } from "../../../../src/hosts/shared/in-process/read-ahead.ts";
import type { Source } from "../../../../src/moments/ports/source.ts";
import { temporaryWorld } from "../../../support/world.ts";

/** A source that is asked at a start, and says how often it was. */
function living(answer: () => object = () => ({})) {
  const world = temporaryWorld();
  const asked: { prompt: string | undefined; readOnly: boolean; isUnseen?: boolean }[] = [];
  const source: Source = {
    name: "rules",
    answersChildren: true,
    settings: {},
    answers: {
      start: ({ prompt }, { readOnly, isUnseen = false }) => {
        asked.push({ prompt, readOnly, isUnseen });
        return answer();
      },
      prompt: () => ({}),
    },
  };
  const parts = { sources: [source], history: loadHistory, env: world.env, now: Date.now };
  const place = { session: { host: "pi" as const, id: "s1" }, project: world.project, cwd: world.root };
  return { ...world, asked, parts, place, base: createBase("test", parts) };
}

describe("reading ahead", () => {
  test("asks sources as a start does, with a prompt, and leaves no trace of it", async () => {
    const { asked, parts, place, home } = living();
    planReadAhead(parts, () => place, 1);
    await expect
      .poll(() => asked)
      .toEqual([{ prompt: expect.stringContaining("notes"), readOnly: true, isUnseen: true }]);
    expect(readdirSync(join(home.root, "..")).includes("home")).toBe(false);
  });

  test("does nothing when a moment has come", async () => {
    const { asked, parts, place, base } = living();
    planReadAhead(parts, () => place, 5);
    await base.deliver("start", { ...place, at: Date.now(), name: "start" });
    await sleep(30);
    expect(asked).toEqual([{ prompt: undefined, readOnly: false, isUnseen: false }]);
  });

  test("fails in silence: the first moment records what is wrong", async () => {
    const { asked, parts, place, home } = living(() => {
      throw new Error("broken");
    });
    planReadAhead(parts, () => place, 1);
    await expect.poll(() => asked.length).toBe(1);
    planReadAhead(
      parts,
      () => {
        throw new Error("the session is gone");
      },
      1,
    );
    await sleep(30);
    expect(readdirSync(join(home.root, "..")).includes("home")).toBe(false);
  });
});
