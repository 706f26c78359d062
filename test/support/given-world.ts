import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SOURCES } from "../../src/sources/index.ts";
import { engineWorld } from "./engine.ts";
import { temporaryWorld, write } from "./world.ts";

const RULES = {
  ".continuo/rules/style.md": "Use tabs for indentation, never spaces.\n",
  ".continuo/rules/money.md":
    "---\nglobs: src/**/*.ts\n---\nMoney is an integer number of cents. Never use floating point numbers for it.\n",
  ".continuo/rules/release.md": "---\nkeywords: [release]\n---\nA release needs a line in the changelog.\n",
  "src/cart.ts": "export const total = 0;\n",
};

const NOTE = `---
project: project
---
# Cart totals

The cart of this project rounds totals half to even, because the bank does. See [[rounding]].
`;

/** A project with rules and a note, and the real engine with all sources. */
export function givenWorld(world = temporaryWorld()) {
  write(world.root, RULES);
  const notes = join(world.home.root, "memory");
  mkdirSync(notes, { recursive: true });
  write(notes, { "cart-totals.md": NOTE });
  const engine = engineWorld(SOURCES, { sourceDeadlineMs: 20_000, momentDeadlineMs: 30_000 }, world, {
    elapsedMs: () => 12,
  });
  const touch = (path: string, id = "s1") => engine.tool("Edit", id, [{ path, access: "edit" }]);
  return { ...engine, touch };
}

/** One session from its start to its end, with additions, a compaction and a resume. */
export async function wholeSession(engine: ReturnType<typeof givenWorld>) {
  const start = await engine.start();
  await engine.prompt("hello there");
  const atTool = await engine.touch("src/cart.ts");
  const atPrompt = await engine.prompt("prepare the release of the shop");
  await engine.compacting();
  const afterCompaction = await engine.compactedAgain();
  await engine.summarised("We changed src/cart.ts and prepared a release.");
  const replayed = await engine.resume();
  await engine.end();
  return { start, atTool, atPrompt, afterCompaction, replayed };
}
