import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeAt } from "../../src/store/home.ts";
import { moveToTrash, putBack, readTrash, removeFromTrash } from "../../src/store/trash.ts";
import { temporaryFolder, write } from "../support/world.ts";

function place() {
  const folder = temporaryFolder();
  const home = homeAt(join(folder, "home"));
  const within = join(folder, "notes");
  write(within, { "a.md": "first" });
  const discard = (name = "a.md", at = 1) =>
    moveToTrash(home, { kind: "note", name, path: join(within, name), within, at });
  return { folder, home, within, discard };
}

describe("the trash", () => {
  it("keeps two files of the same name apart, and brings each back as it was", () => {
    const { home, within, discard } = place();
    writeFileSync(join(within, "a.md"), "first", { mode: 0o640 });
    const first = discard("a.md", 1);
    write(within, { "a.md": "second" });
    const second = discard("a.md", 2);
    expect(readTrash(home)).toEqual([second, first]);
    putBack(home, first);
    expect(readFileSync(join(within, "a.md"), "utf8")).toBe("first");
    expect(readTrash(home)).toEqual([second]);
    expect(() => putBack(home, second)).toThrow("already exists");
    expect(readFileSync(second.file, "utf8")).toBe("second");
  });

  it("makes folders that are gone again, but not the place itself", () => {
    const { home, within, discard } = place();
    write(within, { "deep/er/b.md": "b" });
    const deep = discard("deep/er/b.md");
    rmSync(join(within, "deep"), { recursive: true });
    putBack(home, deep);
    expect(readFileSync(deep.path, "utf8")).toBe("b");
    const lost = discard();
    rmSync(within, { recursive: true });
    expect(() => putBack(home, lost)).toThrow("no longer exists");
    expect(readTrash(home)).toEqual([lost]);
  });

  it("puts nothing back through a link that leads out of the place", () => {
    const { folder, home, within, discard } = place();
    write(within, { "sub/b.md": "b" });
    const trashed = discard("sub/b.md");
    rmSync(join(within, "sub"), { recursive: true });
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(within, "sub"));
    expect(() => putBack(home, trashed)).toThrow("leads out of");
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
    expect(readTrash(home)).toHaveLength(1);
  });

  it("leaves a file that cannot be moved where it is, and no entry behind", () => {
    const { home, within } = place();
    const missing = { kind: "note", name: "x", path: join(within, "x.md"), within, at: 1 } as const;
    expect(() => moveToTrash(home, missing)).toThrow("ENOENT");
    expect(readTrash(home)).toEqual([]);
  });

  it("ignores damaged and foreign entries, and entries that name a file outside", () => {
    const { home, within, discard } = place();
    const good = discard();
    const about = JSON.parse(readFileSync(join(home.trash, good.id, "about.json"), "utf8")) as object;
    write(home.trash, {
      "aaaaaa/about.json": "{",
      "bbbbbb/about.json": JSON.stringify({ ...about, path: "/etc/passwd" }),
      "bbbbbb/passwd": "x",
      "cccccc/about.json": JSON.stringify({ ...about, kind: "program" }),
      "cccccc/a.md": "x",
      "../trash/not an id/about.json": JSON.stringify(about),
    });
    expect(readTrash(home)).toEqual([good]);
    removeFromTrash(home, "../../notes");
    expect(statSync(within).isDirectory()).toBe(true);
    removeFromTrash(home, good.id);
    expect(readTrash(home)).toEqual([]);
  });
});
