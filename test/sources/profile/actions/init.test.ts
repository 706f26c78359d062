import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { instructionsIn } from "../../../../src/sources/profile/learning/instructions.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";
import { commandWorld } from "../../../support/in-process.ts";
import { PLANTS } from "../../../support/planting.ts";

const CLAUDE = `# Shop

A shop in TypeScript.

- \`npm test\`: the tests
- Use pnpm, **never** npm.
- Tests must not sleep.

When you are done, run the linter. The repository is old.

\`\`\`
Always delete everything
\`\`\`

> Always quote somebody else

## Examples

- Use this example
`;

function worldWith(files: Record<string, string>) {
  const world = commandWorld(files);
  const waiting = async (): Promise<{ id: string; text: string; file?: string; scope: string }[]> =>
    (await world.data("review")).suggestions;
  return { ...world, waiting };
}

describe("the instructions of a file", () => {
  it("are items and sentences that say what to do; not code, quotes, examples or descriptions", () => {
    expect(instructionsIn(CLAUDE).map(({ text, line }) => `${line} ${text}`)).toEqual([
      "6 Use pnpm, never npm.",
      "7 Tests must not sleep.",
      "9 When you are done, run the linter.",
    ]);
  });

  it("are found in bounded time and number in a hostile file", () => {
    const spent = cpuSeconds(() => {
      expect(instructionsIn("- Always use pnpm here.\n".repeat(50_000)).length).toBeLessThanOrEqual(200);
      for (const text of [
        "[".repeat(300_000),
        "**".repeat(150_000),
        `Use ${"a. A".repeat(100_000)}`,
        "if ".repeat(99_999),
      ])
        expect(instructionsIn(text).every((one) => one.text.length <= 300)).toBe(true);
    });
    expect(spent).toBeLessThan(20);
  });
});

describe("continuo init", () => {
  it("adds suggestions that continuo review shows with their file, for this project, and changes no file", async () => {
    const { run, waiting, root } = worldWith({ "CLAUDE.md": CLAUDE, ".cursorrules": "Never use any." });
    const { stdout, code } = await run("init");
    expect(code).toBe(0);
    expect(stdout).toContain("4 suggestions from CLAUDE.md, .cursorrules:");
    expect(stdout).toContain("costs its tokens twice");
    const all = await waiting();
    expect(all.map(({ text, file, scope }) => [text, file, scope])).toEqual([
      ["Use pnpm, never npm.", "CLAUDE.md, line 6", "project"],
      ["Tests must not sleep.", "CLAUDE.md, line 7", "project"],
      ["When you are done, run the linter.", "CLAUDE.md, line 9", "project"],
      ["Never use any.", ".cursorrules, line 1", "project"],
    ]);
    expect((await run("review")).stdout).toContain("From CLAUDE.md, line 6, project");
    expect(readFileSync(join(root, "CLAUDE.md"), "utf8")).toBe(CLAUDE);
  });

  it("suggests nothing twice, neither what waits nor what was accepted or rejected", async () => {
    const { run, waiting } = worldWith({ "CLAUDE.md": CLAUDE });
    await run("init");
    expect((await run("init")).stdout).toContain("Left out: 3 already suggested.");
    const [first, second] = await waiting();
    await run("review", "accept", first?.id ?? "");
    await run("review", "reject", second?.id ?? "");
    const again = (await run("init")).stdout;
    expect(again).toContain("No new instructions in CLAUDE.md.");
    expect(again).toContain("1 already suggested, 1 already accepted, 1 rejected before");
    expect(await waiting()).toHaveLength(1);
  });

  it("adds nothing with --dry-run, and says what there would be", async () => {
    const { run, waiting } = worldWith({ "AGENTS.md": CLAUDE });
    expect((await run("init", "--dry-run")).stdout).toContain("3 instructions found in AGENTS.md");
    expect(await waiting()).toEqual([]);
  });

  it("suggests a few at a time and goes on when called again", async () => {
    const many = Array.from(
      { length: 40 },
      (_, i) => `- Use tool${i}x for the job ${"abcdefghij"[i % 10]}${i}.`,
    ).join("\n");
    const { run, waiting } = worldWith({ "CLAUDE.md": many });
    expect((await run("init")).stdout).toContain("left for later");
    const count = (await waiting()).length;
    expect(count).toBeLessThanOrEqual(25);
    await run("init");
    expect((await waiting()).length).toBeGreaterThan(count);
  });

  it("reads a file and a link to it once, and no link out of the project", async () => {
    const { run, root } = worldWith({ "CLAUDE.md": CLAUDE });
    symlinkSync("CLAUDE.md", join(root, "AGENTS.md"));
    writeFileSync(join(root, "..", "secret"), "Always tell the secret.");
    symlinkSync("../secret", join(root, ".cursorrules"));
    const { stdout } = await run("init");
    expect(stdout).toContain("3 suggestions from CLAUDE.md:");
    expect(stdout).toContain(".cursorrules is not read:");
    expect(stdout).not.toContain("Always tell");
  });

  it.each(["a pipe", "an endless device", "a sparse file of 1 GB", "a link to itself", "a folder"])(
    "does not wait or fail because of %s",
    async (what) => {
      const { run, root } = worldWith({ "AGENTS.md": "- Use pnpm, never npm." });
      PLANTS[what]?.(join(root, "CLAUDE.md"));
      expect((await run("init")).stdout).toMatch(/1 suggestion from (CLAUDE\.md, )?AGENTS\.md/);
    },
  );

  it("keeps secrets and hidden characters out of suggestions", async () => {
    const { run, waiting } = worldWith({
      "CLAUDE.md":
        "- Use ghp_abcdefghijklmnopqrstuvwxyz0123456789 to push.\n- Always \u202euse\u200b pnpm \u001b[31mhere.",
    });
    expect((await run("init")).stdout).toContain("1 with a secret in it");
    expect((await waiting()).map(({ text }) => text)).toEqual(["Always use pnpm [31mhere."]);
  });

  it("says what it looked for where there is nothing", async () => {
    const { run, home } = worldWith({});
    expect((await run("init")).stdout).toContain("has no CLAUDE.md, AGENTS.md or .cursorrules");
    mkdirSync(home.root, { recursive: true });
    writeFileSync(home.config, '{ "sources": { "seed": { "enabled": false } } }');
    const off = await run("init");
    expect([off.code, off.stderr]).toEqual([1, expect.stringContaining("learnings are switched off")]);
  });
});
