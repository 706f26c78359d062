import { describe, expect, it, onTestFinished } from "vitest";
import { startCodex } from "../hosts/codex/driver.ts";
import { startCopilot } from "../hosts/copilot/driver.ts";
import { startGemini } from "../hosts/gemini/driver.ts";
import { CODEX, codexProgram } from "../support/codex-program.ts";
import { COPILOT, copilotProgram } from "../support/copilot.ts";
import { GEMINI, geminiProgram } from "../support/gemini.ts";
import { orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";
import { continuo } from "./continuo.ts";
import type { HostDriver, SeenRequest } from "./host-driver.ts";
import { count, main } from "./seen-requests.ts";

/** More than fits into one hook output in most hosts, in characters and in bytes. */
const texts = (words: string, length: number, many: number) =>
  Array.from(
    { length: many },
    (_, i) => `RULE-${10 + i} ${words.repeat(length).slice(0, length)} END-${10 + i}`,
  );
const MANY = texts("plain words ", 980, 30);
const CYRILLIC = texts("простые слова ", 700, 13);

const HOSTS = [
  { name: `Codex ${CODEX}`, start: startCodex, found: await orSkipReason(codexProgram()) },
  { name: `Copilot CLI ${COPILOT}`, start: startCopilot, found: await orSkipReason(copilotProgram()) },
  { name: `Gemini CLI ${GEMINI}`, start: startGemini, found: await orSkipReason(geminiProgram()) },
];

async function withRules(start: () => Promise<HostDriver>, rules: readonly string[]): Promise<HostDriver> {
  const driver = await start();
  onTestFinished(() => driver.dispose());
  write(driver.project, Object.fromEntries(rules.map((text, i) => [`.continuo/rules/r${10 + i}.md`, text])));
  write(driver.project, { "src/a.ts": "export const a = 1;\n" });
  return driver;
}

function expectWhole(request: SeenRequest | undefined, rules: readonly string[], when: string): void {
  const wrong = rules.filter((text) => count(request, text) !== 1);
  expect(
    wrong.map((text) => `${text.slice(0, 8)}: ${count(request, text)}`),
    when,
  ).toEqual([]);
  expect(count(request, /<continuo(?:-addition)?[ >]/), when).toBe(
    count(request, /<\/continuo(?:-addition)?>/),
  );
}

/** How many rules `why` lists as delivered in this session. */
async function listed(driver: HostDriver, session: string): Promise<number> {
  const { data } = JSON.parse(await continuo(driver, "why", session, "--json"));
  const { snapshot, furtherParts, waiting } = data as {
    snapshot: { items: { source: string }[] };
    furtherParts: { items: { source: string }[] }[];
    waiting: unknown[];
  };
  expect(waiting).toEqual([]);
  return [snapshot, ...furtherParts].flatMap((part) => part.items).filter(({ source }) => source === "rules")
    .length;
}

for (const { name, start, found } of HOSTS)
  describe.skipIf(typeof found === "object")(name, () => {
    it("has 30 rules of 1,000 characters whole in its first request, and why lists them", async () => {
      const driver = await withRules(start, MANY);
      const { session, requests } = await driver.turn("hello");
      expectWhole(main(requests)[0], MANY, "first request");
      expect(await listed(driver, session)).toBe(MANY.length);
    });

    it("has 13 Cyrillic rules whole in its first request, and why lists them", async () => {
      const driver = await withRules(start, CYRILLIC);
      const { session, requests } = await driver.turn("hello");
      expectWhole(main(requests)[0], CYRILLIC, "first request");
      expect(await listed(driver, session)).toBe(CYRILLIC.length);
    });
  });

describe.skipIf(typeof HOSTS[1]?.found === "object")(
  `Copilot CLI ${COPILOT}, after an automatic compaction`,
  () => {
    it("has all rules whole again, although a tool's result carries only some of them", async () => {
      const driver = await withRules(startCopilot, CYRILLIC);
      const { session } = await driver.turn("hello");
      const full = await driver.overflow(session);
      expect(full.map(({ kind }) => kind)).toContain("compaction");
      for (const request of full)
        expect(count(request, /<continuo(?:-addition)?[ >]/)).toBe(
          count(request, /<\/continuo(?:-addition)?>/),
        );
      const { requests } = await driver.turn("go on", { session });
      expectWhole(main(requests)[0], CYRILLIC, "the next turn");
      expect(await listed(driver, session)).toBe(CYRILLIC.length);
    });
  },
);
