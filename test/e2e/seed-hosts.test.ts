import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SeedConfig } from "../../src/sources/profile/types.ts";
import { exampleSeed, learning, proposal } from "../sources/profile/seeds.ts";
import { strictlyRead } from "../sources/profile/strict-reader.ts";
import { write } from "../support/world.ts";
import { SEED_HOSTS } from "./seed-hosts.ts";

const SEED = exampleSeed({
  learned: {
    patterns: [learning("l-pattern", "MARK-LEARNED: prefers small commits")],
    insights: [
      learning("l-else", "MARK-ELSEWHERE: only for another project", { tags: ["project:/elsewhere"] }),
      learning("l-open", "MARK-UNCONFIRMED: nobody said yes", { confirmed: false }),
    ],
  },
  state: {
    proposals: [proposal("p-one", "MARK-PROPOSED: use pnpm"), proposal("p-no", "MARK-REFUSED: use npm")],
  },
});
const REFUSED = {
  kind: "decided",
  at: "2026-02-06T00:00:00.000Z",
  batch: "b",
  steps: [{ do: "reject", proposal: proposal("old", "x"), value: "mark refused use npm" }],
};

for (const { name, missing, start } of SEED_HOSTS) {
  describe.skipIf(typeof missing === "object")(`the seed in ${name}`, () => {
    it("gives identity, learnings and proposals before the first answer and after a compaction, and records the last session", async () => {
      const host = await start();
      onTestFinished(() => host.dispose());
      const folder = join(host.home, ".pai");
      write(folder, {
        "seed.json": `${JSON.stringify(SEED, null, 2)}\n`,
        "seed.continuo.jsonl": `${JSON.stringify(REFUSED)}\n`,
      });

      const first = await host.turn("hello");
      expectSeed(first.texts[0]);
      await host.turn("again and ".repeat(30), first.session);
      await host.compact(first.session);
      const after = await host.turn("go on", first.session);
      expectSeed(after.texts[0]);

      const text = readFileSync(join(folder, "seed.json"), "utf8");
      const { state } = JSON.parse(text) as SeedConfig;
      expect(state.lastSessionAt).toMatch(/Z$/);
      expect(state.activeProjects).toEqual(["project"]);
      expect(state.checkpointRef).toBe(
        `continuo:${state.checkpointRef?.split(/[:/]/)[1]}/${state.lastSessionId}`,
      );
      expect(strictlyRead(text)).toEqual([]);
    });
  });
}

function expectSeed(text: string | undefined): void {
  for (const mark of ["The user's name is Daniel. Your name is Ivy.", "MARK-LEARNED: prefers small commits"])
    expect((text ?? "").split(mark).length - 1, mark).toBe(1);
  for (const mark of ["MARK-ELSEWHERE", "MARK-UNCONFIRMED", "MARK-REFUSED", "MARK-PROPOSED", "Seed: v"])
    expect(text).not.toContain(mark);
}
