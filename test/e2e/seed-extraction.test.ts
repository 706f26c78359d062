import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSidecar } from "../../src/sources/seed/file/sidecar.ts";
import { evidenceById } from "../../src/sources/seed/learning/decision-log.ts";
import type { SeedConfig } from "../../src/sources/seed/types.ts";
import { exampleSeed } from "../sources/seed/seeds.ts";
import { write } from "../support/world.ts";
import { SEED_HOSTS } from "./seed-hosts.ts";

const SAID = "From now on always use pnpm in this repo.";
const HEARD = "Always use pnpm in this repo";

for (const { name, missing, start } of SEED_HOSTS) {
  describe.skipIf(typeof missing === "object")(`what is said in ${name}`, () => {
    it("is pending in the next session, with the user's words as evidence", async () => {
      const host = await start();
      onTestFinished(() => host.dispose());
      const folder = join(host.home, ".pai");
      const path = join(folder, "seed.json");
      write(folder, { "seed.json": `${JSON.stringify(exampleSeed(), null, 2)}\n` });

      const first = await host.turn(`Hello! ${SAID}`);
      expect(first.texts[0]).not.toContain("Pending proposals");
      // Hosts do not wait for what is done when a session goes idle.
      await expect.poll(() => proposals(path), { timeout: 20_000 }).toHaveLength(1);
      expect(proposals(path)).toMatchObject([
        { type: "pattern", content: HEARD, status: "pending", source: expect.any(String) },
      ]);
      // pi's sessions are identified by their file, which has the id in its name.
      const source = proposals(path)[0]?.source ?? "";
      expect(first.session).toContain(source);
      const [evidence] = evidenceById(readSidecar(path)).values();
      expect(evidence).toMatchObject({ quote: SAID, session: source, turn: expect.any(String) });

      const next = await host.turn("a new one");
      expect(next.texts[0]).toContain(`1. [pattern] "${HEARD}"`);
      expect(next.texts[0]).toContain("Waiting for the user's decision. Not in force: do not act on it.");
      // Neither the snapshot that repeats it nor the model's answer leads to another one.
      await host.turn("and another", next.session);
      expect(proposals(path)).toHaveLength(1);
    });
  });
}

function proposals(path: string): SeedConfig["state"]["proposals"] {
  return (JSON.parse(readFileSync(path, "utf8")) as SeedConfig).state.proposals;
}
