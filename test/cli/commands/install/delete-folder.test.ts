import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { deleteFolder } from "../../../../src/cli/commands/install/own-data.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

describe("deleting Continuo's folder", () => {
  it("removes links and not what they lead to", () => {
    const [folder, other] = [join(temporaryFolder(), "x"), temporaryFolder()];
    write(folder, { "a/b/c.md": "" });
    write(other, { "mine.md": "" });
    symlinkSync(other, join(folder, "a", "link"));
    expect(deleteFolder(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(other, "mine.md"))).toBe(true);
  });

  it("leaves what the system names as mounted, with the folders that lead to it, and deletes the rest", () => {
    const folder = temporaryFolder();
    write(folder, { "a/mine/x.md": "", "a/b.md": "", "c/d.md": "" });
    const mounted = join(folder, "a", "mine");
    expect(deleteFolder(folder, new Set([mounted]))).toEqual([mounted]);
    expect(existsSync(join(mounted, "x.md"))).toBe(true);
    expect(existsSync(join(folder, "a", "b.md")) || existsSync(join(folder, "c"))).toBe(false);
  });

  it.for([
    ["a folder of the same disk", (from: string, to: string) => ["--bind", from, to]],
    ["another disk", (_: string, to: string) => ["-t", "tmpfs", "-o", "size=1m", "tmpfs", to]],
  ] as const)("uninstall --data keeps %s that is mounted in it, and says so", async ([, mount], { skip }) => {
    const { env, root, home } = temporaryWorld();
    const other = temporaryFolder();
    const at = join(home.root, "memory", "shared");
    write(home.root, { "config.json": "{}" });
    mkdirSync(at, { recursive: true });
    try {
      execFileSync("mount", mount(other, at), { stdio: "ignore" });
    } catch {
      return skip("nothing can be mounted here");
    }
    onTestFinished(() => void execFileSync("umount", [at]));
    write(at, { "mine.md": "mine" });
    const own = { ...env, CONTINUO_HOME: home.root };
    write(home.root, { "sessions.db": "SQLite format 3\0" });
    const { stdout, stderr } = await runInProcess(["uninstall", "--data", "--yes"], { env: own, cwd: root });
    expect(stderr).toBe("");
    expect(existsSync(join(at, "mine.md"))).toBe(true);
    expect(existsSync(join(home.root, "config.json"))).toBe(false);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`shared, because something else is mounted there`);
  });
});
