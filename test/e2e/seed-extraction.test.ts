import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { learningSuggestions } from "../../src/sources/profile/learning/suggestions.ts";
import type { SeedConfig } from "../../src/sources/profile/types.ts";
import { SEED_HOSTS } from "./seed-hosts.ts";

const SAID = "From now on always use pnpm in this repo.";
const HEARD = "Always use pnpm in this repo";

for (const { name, missing, start } of SEED_HOSTS) {
  describe.skipIf(typeof missing === "object")(`what is said in ${name}`, () => {
    it("waits for the user from the first session on, without a seed; the model is given nothing of it", async () => {
      const host = await start();
      onTestFinished(() => host.dispose());
      const inbox = learningSuggestions({ home: join(host.home, ".continuo"), env: { HOME: host.home } });

      const first = await host.turn(`Hello! ${SAID}`);
      // Hosts do not wait for what is done when a session goes idle.
      await expect.poll(() => inbox.list(), { timeout: 20_000 }).toHaveLength(1);
      expect(inbox.list()).toMatchObject([{ kind: "pattern", text: HEARD, quote: SAID, byModel: false }]);
      // pi's sessions are identified by their file, which has the id in its name.
      expect(first.session).toContain(inbox.list()[0]?.session ?? "");
      expect(existsSync(join(host.home, ".pai"))).toBe(false);

      const next = await host.turn("a new one");
      expect(next.texts[0]).not.toContain("pnpm");
      expect(next.texts[0]).not.toMatch(/suggestions? to review/);
      // The model's answer does not lead to another one.
      await host.turn("and another", next.session);
      expect(inbox.list()).toHaveLength(1);

      // The first accepted one makes the seed, and is given to the next session.
      await inbox.accept(inbox.list()[0]?.id ?? "");
      const last = await host.turn("one more session");
      expect(last.texts[0]).toContain(HEARD);
      await expect.poll(() => lastSession(host.home), { timeout: 20_000 }).toBeDefined();
    });
  });
}

function lastSession(home: string): string | undefined {
  const text = readFileSync(join(home, ".pai/seed.json"), "utf8");
  return (JSON.parse(text) as SeedConfig).state.lastSessionId;
}
