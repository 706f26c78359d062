import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO } from "../../../support/child.ts";
import { notesWorld } from "../../../support/notes.ts";
import { hasTmux, NO_TMUX, openTerminal } from "../../../support/terminal.ts";
import { write } from "../../../support/world.ts";

describe("continuo delete and restore", () => {
  it("bring a note back as it was, and it is found again", async () => {
    const { run, data } = notesWorld();
    const { path } = await data("note", "Staging has no cron jobs.");
    const before = readFileSync(String(path), "utf8");
    const deleted = await run(["delete", "staging has no cron jobs", "--yes"]);
    const [, id = ""] = /To undo: continuo restore (\w{6})\n$/.exec(deleted.stdout) ?? [];
    expect(existsSync(String(path))).toBe(false);
    expect((await data("search", "cron"))["total"]).toBe(0);
    expect((await run(["restore"])).stdout).toContain(`${id}  note  Staging has no cron jobs  just now`);
    const restored = await run(["restore", id]);
    expect(restored.stdout).toContain("Restored the note Staging has no cron jobs\n");
    expect(readFileSync(String(path), "utf8")).toBe(before);
    expect((await data("search", "cron"))["total"]).toBe(1);
    expect((await run(["restore"])).stdout).toBe("The trash is empty: there is nothing to restore.\n");
  });

  it("asks which one if two deleted notes have the name, and never replaces a note", async () => {
    const { run, data } = notesWorld();
    for (const text of ["One.", "Two."]) {
      await data("write", text, "--title", "Plan");
      await data("delete", "plan", "--yes");
    }
    const unclear = await run(["restore", "plan"]);
    expect(unclear.code).toBe(1);
    expect(unclear.stderr).toMatch(
      /2 deleted files are called "plan"\n {2}give the id of one:\n {4}\w{6} {2}/,
    );
    const { items } = (await data("restore")) as { items: { id: string }[] };
    expect((await data("restore", items[1]?.id ?? ""))["restored"]).toBe(true);
    expect((await run(["read", "plan"])).stdout).toContain("One.");
    const taken = await run(["restore", items[0]?.id ?? ""]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("already exists")]);
    expect((await run(["read", "plan"])).stdout).toContain("One.");
  });

  it("suggests the nearest name", async () => {
    const { run, data } = notesWorld();
    await data("write", "x", "--title", "Deployment");
    await data("delete", "deployment", "--yes");
    expect((await run(["restore", "deploymnt"])).stderr).toContain('did you mean "Deployment"?');
  });

  it("--permanent keeps no copy, and --empty deletes the copies", async () => {
    const { run, data } = notesWorld();
    await data("note", "A secret.");
    expect((await run(["delete", "a secret", "--permanent", "--yes"])).stdout).toContain(
      "Deleted permanently",
    );
    expect((await data("restore"))["items"]).toEqual([]);
    await data("note", "Another secret.");
    await data("delete", "another secret", "--yes");
    expect((await run(["restore", "--empty"])).stderr).toContain("continuo restore --empty --yes");
    expect((await run(["restore", "--empty", "--yes"])).stdout).toBe("Deleted 1 kept file permanently.\n");
    expect((await data("restore"))["items"]).toEqual([]);
  });

  it("refuses a note of another program before it asks", async () => {
    const { run, root } = notesWorld();
    write(root, { "vault/a.md": "# A\n" });
    await run(["memory", "add", join(root, "vault")]);
    const refused = await run(["delete", "memory://@vault/a", "--yes"]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("belongs to another program"),
    ]);
    expect(existsSync(join(root, "vault/a.md"))).toBe(true);
  });

  it.skipIf(process.getuid?.() === 0)(
    "where the folder is read-only, says so and deletes nothing",
    async () => {
      const { run, data } = notesWorld();
      const { path } = await data("note", "Stays.");
      chmodSync(dirname(String(path)), 0o500);
      const refused = await run(["delete", "stays", "--yes"]);
      chmodSync(dirname(String(path)), 0o700);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
      expect(existsSync(String(path))).toBe(true);
      expect((await data("restore"))["items"]).toEqual([]);
    },
  );

  it.skipIf(!hasTmux).each([
    ["n", true],
    ["", true],
    ["y", false],
  ])(
    `at a terminal asks, and after %j the note is there: %s${hasTmux ? "" : NO_TMUX}`,
    async (answer, stays) => {
      const { env, root, data } = notesWorld();
      const { path } = await data("note", "Asked about.");
      const shell = [
        "sh",
        "-c",
        `"${process.execPath}" "${CONTINUO}" delete asked-about; echo ENDED; sleep 60`,
      ];
      const terminal = await openTerminal(dirname(root), shell, { cwd: root, env });
      try {
        expect(await terminal.until(/\[y\/N\]/)).toMatch(/"Asked about", changed just now/);
        await terminal.type(`${answer}\n`);
        await terminal.until(/ENDED/);
      } finally {
        await terminal.close();
      }
      expect(existsSync(String(path))).toBe(stays);
    },
  );
});

describe("continuo edit and move", () => {
  it("an edit can be undone, unless the note was changed since", async () => {
    const { run, data } = notesWorld();
    const { path } = await data("note", "One line.");
    const before = readFileSync(String(path), "utf8");
    const undo = async () => {
      const { stdout } = await run(["edit", "one line", "append", "More."]);
      return /To undo: continuo (restore) (\w{6})\n$/.exec(stdout)?.slice(1) ?? [];
    };
    expect((await run(await undo())).stdout).toContain("Undid the last edit of the note One line\n");
    expect(readFileSync(String(path), "utf8")).toBe(before);
    const again = await undo();
    writeFileSync(String(path), "By hand.\n");
    const refused = await run(again);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("has changed since that edit"),
    ]);
    expect(readFileSync(String(path), "utf8")).toBe("By hand.\n");
  });

  it("a move says the command that undoes it", async () => {
    const { run, data } = notesWorld();
    await data("write", "x", "--title", "Plan");
    const { stdout } = await run(["move", "plan", "archive/"]);
    const [, line = ""] = /To undo: continuo (.*)\n$/.exec(stdout) ?? [];
    expect(line).toBe("move memory://archive/plan memory://plan");
    expect(await data(...line.split(" "))).toMatchObject({ uri: "memory://plan" });
  });
});
