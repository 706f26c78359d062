import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describe, expect, it } from "vitest";
import type { Command } from "../../../../src/cli/command.ts";
import { loadCommand } from "../../../../src/cli/commands/index.ts";
import { registries } from "../../../../src/entries/registries.ts";
import { readMutes } from "../../../../src/store/mutes.ts";
import { givenWorld } from "../../../support/given-world.ts";

const named = async (name: string) => (await loadCommand(name)) as Command;
const [mute, unmute, mutesCommand, why] = (await Promise.all(
  ["mute", "unmute", "mutes", "why"].map(named),
)) as [Command, Command, Command, Command];

function setUp() {
  const world = givenWorld();
  const run = async (command: Command, words: string[], values: Record<string, string | boolean> = {}) =>
    command.run({
      ...registries,
      env: world.env,
      cwd: world.root,
      now: () => Date.parse("2026-01-02T00:00:00Z"),
      packageRoot: "",
      stdin: 0,
      values,
      positionals: words,
    });
  return { ...world, run, all: () => readMutes(world.home).mutes };
}

describe("continuo mute", () => {
  it("takes a source, a rule's name, a note's address, an item's key, or a title that was delivered", async () => {
    const world = setUp();
    await world.start();
    for (const [said, what, word = what] of [
      ["memory", "memory", "notes"],
      ["notes", "memory", "notes"],
      ["profile", "seed", "profile"],
      ["style", "rules/.continuo/rules/style.md"],
      ["style.md", "rules/.continuo/rules/style.md"],
      [".continuo/rules/money.md", "rules/.continuo/rules/money.md"],
      ["memory://cart-totals", "memory/memory://cart-totals"],
      ["cart-totals", "memory/memory://cart-totals"],
      ["seed/learning/l1", "seed/learning/l1"],
    ] as [string, string, string?][]) {
      const { text, data } = await world.run(mute, [said], { everywhere: true });
      expect(data).toMatchObject({ muted: { what, in: "everywhere" } });
      expect(text).toContain(`Undo: continuo unmute ${word} --everywhere`);
    }
    await expect(world.run(mute, ["stile"])).rejects.toMatchObject({ code: "mute-unknown" });
    await expect(world.run(mute, [])).rejects.toMatchObject({ code: "usage" });
  });

  it("holds in this project by default, in a session with --here, and not both here and everywhere", async () => {
    const world = setUp();
    await world.start();
    await world.run(mute, ["memory"]);
    await world.run(mute, ["memory"], { here: true });
    expect(world.all()).toMatchObject([
      { in: "project", project: world.project.id },
      { in: "session", host: "claude-code", session: "s1" },
    ]);
    await expect(world.run(mute, ["memory"], { here: true, everywhere: true })).rejects.toMatchObject({
      code: "usage",
    });
    const { text } = await world.run(why, []);
    expect(text).toContain("Muted: notes in this project (");
    expect(text).toContain("Muted: notes in the session s1");
  });

  it("is listed and undone: here, in the named place, or where it is the only one", async () => {
    const world = setUp();
    await world.start();
    expect((await world.run(mutesCommand, [])).text).toBe("Nothing is muted.");
    await world.run(mute, ["style"]);
    await world.run(mute, ["style"], { here: true });
    await world.run(mute, ["style"], { everywhere: true });
    expect((await world.run(mutesCommand, [])).text).toMatch(/style\.md .*in this project \(\S+\)/);
    await world.run(unmute, ["style.md"]);
    expect(world.all().map((one) => one.in)).toEqual(["session", "everywhere"]);
    const refused = world.run(unmute, ["style.md"]);
    await expect(refused).rejects.toMatchObject({
      hint: expect.stringMatching(/--session s1 --host claude-code; everywhere: .* --everywhere/),
    });
    await world.run(unmute, ["style.md"], { everywhere: true });
    await world.run(unmute, ["rules/.continuo/rules/style.md"]);
    expect(world.all()).toEqual([]);
    await expect(world.run(unmute, ["style.md"])).rejects.toMatchObject({ code: "not-muted" });
  });

  it("is undone by every name that it takes", async () => {
    const world = setUp();
    await world.start();
    for (const said of ["style", "style.md", ".continuo/rules/style.md", ".continuo/rules/style"]) {
      await world.run(mute, ["style"]);
      await world.run(unmute, [said]);
      expect(world.all()).toEqual([]);
    }
  });

  it("prints an undo that works as printed and undoes only this mute", async () => {
    const world = setUp();
    await world.start();
    await world.run(mute, ["memory"]);
    for (const scope of ["here", "everywhere"]) {
      const values = { [scope]: true };
      const { text } = await world.run(mute, ["memory"], values);
      const [, words = ""] = /Undo: continuo unmute notes(.*)$/.exec(text ?? "") ?? [];
      const { values: printed } = parseArgs({
        args: words.split(" ").filter(Boolean),
        options: { session: { type: "string" }, host: { type: "string" }, everywhere: { type: "boolean" } },
      });
      await world.run(unmute, ["notes"], { ...printed });
      expect(world.all().map((one) => one.in)).toEqual(["project"]);
    }
  });

  it("of a source leaves a rule of the same name muted when it is undone", async () => {
    const world = setUp();
    writeFileSync(join(world.root, ".continuo/rules/notes.md"), "Write short notes.\n");
    await world.start();
    await world.run(mute, ["notes.md"]);
    await world.run(mute, ["notes"]);
    await world.run(unmute, ["notes"]);
    expect(world.all()).toMatchObject([{ what: "rules/.continuo/rules/notes.md" }]);
    await world.run(unmute, ["notes"]);
    expect(world.all()).toEqual([]);
  });
});
