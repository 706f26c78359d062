import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerInAgent } from "../../../src/moments/actions/in-agent.ts";
import type { ToolContext } from "../../../src/moments/ports/tool.ts";
import { memory } from "../../../src/sources/notes/index.ts";
import { readTrash } from "../../../src/store/trash.ts";
import { callIn } from "../../support/engine.ts";
import { temporaryWorld, write } from "../../support/world.ts";

async function inAgent() {
  const call: ToolContext = callIn(temporaryWorld());
  const groups = (await memory.actions?.()) ?? [];
  const ask = (typed: string, now = call.now, signal?: AbortSignal) =>
    answerInAgent(groups, typed, { ...call, now, signal }, { sources: async () => [memory.source] });
  return { home: call.home, ask };
}

it("notes are searched, read, written and linked inside agents, without a word for a terminal", async () => {
  const { home, ask } = await inAgent();
  write(join(home.root, "memory"), { "gate.md": "# Gate\nThe [[gateway]] retries with [[backoff]].\n" });
  expect(await ask("search gateway retries")).toMatch(
    /^Notes \(1\)\n\n {2}Gate\n {4}memory:\/\/gate, just now/,
  );
  expect(await ask("read gate")).toBe("# Gate\nThe [[gateway]] retries with [[backoff]].");
  expect(await ask("context gateway")).toContain("backoff  1  memory://gate");
  expect(await ask("graph nothing")).toContain("No note links [[nothing]]");
  expect(await ask("note Staging has no cron jobs.")).toMatch(
    /^Written: memory:\/\/staging-has-no-cron-jobs\n/,
  );
  expect(await ask("note")).toContain("the text is empty");
  expect(await ask("memory use /tmp")).toMatch(/settings cannot be changed from here; use the command line/);
});

it("a deletion is confirmed with --yes where nobody can be asked, and can be undone", async () => {
  const { home, ask } = await inAgent();
  write(join(home.root, "memory"), { "a.md": "# A\n" });
  expect(await ask("delete a")).toMatch(
    /was not deleted: there is no terminal to ask on; confirm with --yes$/,
  );
  expect(existsSync(join(home.root, "memory/a.md"))).toBe(true);
  expect(await ask("delete a --yes")).toMatch(/^Deleted: memory:\/\/a\nTo undo: continuo restore \w{6}$/);
  expect(existsSync(join(home.root, "memory/a.md"))).toBe(false);
  expect(await ask("restore A")).toMatch(/^Restored the note A\n/);
});

it("a note that is typed inside an agent keeps its lines, and one of any size is refused at once", async () => {
  const { home, ask } = await inAgent();
  await ask("note Deploys\n\n## Steps\n- build\n- push  it");
  const path = join(home.root, "memory", "deploys.md");
  expect(existsSync(path) && readFileSync(path, "utf8")).toContain("Deploys\n\n## Steps\n- build\n- push it");
  const began = performance.now();
  expect(await ask(`note ${"a ".repeat(1_000_000)}`)).toMatch(/more than 100000 characters/);
  expect(performance.now() - began).toBeLessThan(1000);
});

it("the trash is emptied of what was counted in the question", async () => {
  const { home, ask } = await inAgent();
  const remove = async (name: string, at: number) => {
    await ask(`note ${name}`);
    await ask(`delete ${name} --yes`, at);
  };
  await remove("first", 1_000);
  expect(await ask("restore --empty")).toContain("delete 1 kept file permanently");
  await remove("second", 2_000);
  expect(await ask("restore --empty --yes")).toBe("Deleted 1 kept file permanently.");
  expect(readTrash(home).map(({ name }) => name)).toEqual(["second"]);
});

it("what the agent does not wait for any more is not done", async () => {
  const { home, ask } = await inAgent();
  write(join(home.root, "memory"), { "a.md": "# A\n" });
  await ask("delete a");
  expect(await ask("delete a --yes", undefined, AbortSignal.abort())).toContain("it took too long");
  expect(existsSync(join(home.root, "memory/a.md"))).toBe(true);
  expect(await ask("delete a --yes")).toContain("Deleted");
});
