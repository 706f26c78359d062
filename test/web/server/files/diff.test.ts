import { execFileSync } from "node:child_process";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { DiffView } from "../../../../src/web/api/files.ts";
import { parseDiff } from "../../../../src/web/page/parts/diff/parse-diff.ts";
import { files } from "../../../../src/web/server/files/routes.ts";
import { git as gitIn } from "../../../git/hostile.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { listen } from "../../../support/web-events.ts";
import { write } from "../../../support/world.ts";

function repository() {
  const here = temporaryWeb({ "a.ts": "one\ntwo\n", "docs/b.md": "b\n", ".env": "KEY=1\n" }, [files]);
  const git = (...args: string[]) => gitIn(here.root, ...args);
  git("init", "-q");
  git("add", "-A", "-f");
  git("commit", "-qm", "first");
  const diff = (path = here.root, query = "") =>
    here.send<DiffView>("GET", `/api/diff?path=${encodeURIComponent(path)}${query}`);
  return { ...here, git, diff };
}

describe("a diff that a page shows", () => {
  it("is followed: an edit, a new file in any folder, a staged file and a commit each send one event", async () => {
    const { root, diff, git, web } = repository();
    write(root, { "src/deep/c.ts": "c\n", "src/deep/d.ts": "d\n" });
    git("add", "src");
    git("commit", "-qm", "second");
    const names = async () => {
      const { files, untracked } = (await diff()).body;
      return [...files.map(({ name }) => name), ...untracked.map((path) => relative(root, path))];
    };
    const seen: string[][] = [await names()];
    for (const change of [
      () => write(root, { "src/deep/c.ts": "changed\n" }),
      () => write(root, { "docs/new.ts": "n\n" }),
      () => git("add", "docs"),
      () => git("commit", "-qam", "third"),
    ]) {
      const event = listen(web).first(({ type }) => type === "disk");
      change();
      expect(await event).toEqual({ type: "disk", path: root });
      // A commit writes several files, and the event may come after the first.
      await expect.poll(names).not.toEqual(seen.at(-1));
      seen.push(await names());
    }
    expect(seen).toEqual([
      [],
      ["src/deep/c.ts"],
      ["src/deep/c.ts", "docs/new.ts"],
      ["docs/new.ts", "src/deep/c.ts"],
      [],
    ]);
  });

  it("of one file is followed for this file", async () => {
    const { root, diff, web } = repository();
    const path = join(root, "a.ts");
    await diff(path);
    const { events, first } = listen(web);
    const event = first(({ type }) => type === "disk");
    write(root, { "b.ts": "other\n" });
    write(root, { "a.ts": "changed\n" });
    expect(await event).toEqual({ type: "disk", path });
    expect(events.length).toBe(1);
  });
});

describe("the diff of a repository", () => {
  it("shows what is not committed, with renamed, new and binary files", async () => {
    const { root, diff, git } = repository();
    expect((await diff()).body).toMatchObject({ files: [], text: "", untracked: [], against: "HEAD" });
    write(root, { "a.ts": "one\n2\nthree\n", "new name.ts": "x\n", "bin.dat": new Uint8Array([0, 1, 2]) });
    renameSync(join(root, "docs/b.md"), join(root, "docs/c.md"));
    git("add", "docs", "bin.dat");
    const { body } = await diff();
    expect(body.files).toEqual([
      { path: join(root, "a.ts"), name: "a.ts", added: 2, removed: 1 },
      { path: join(root, "bin.dat"), name: "bin.dat" },
      { path: join(root, "docs/c.md"), name: "docs/c.md", from: "docs/b.md", added: 0, removed: 0 },
    ]);
    expect(body.text).toContain("-two\n+2\n+three\n");
    expect(body.text).toContain("rename from docs/b.md");
    expect(body.untracked).toEqual([join(root, "new name.ts")]);
    expect(body.repository).toBe(root);
  });

  it("can be limited to staged changes, a folder, a file, or what changed since a commit", async () => {
    const { root, diff, git } = repository();
    const first = git("rev-parse", "HEAD").trim();
    write(root, { "a.ts": "staged\n", "docs/b.md": "b2\n" });
    git("add", "a.ts");
    expect((await diff(root, "&against=staged")).body.files.map(({ name }) => name)).toEqual(["a.ts"]);
    expect((await diff(join(root, "docs"))).body.files.map(({ name }) => name)).toEqual(["docs/b.md"]);
    expect((await diff(join(root, "a.ts"))).body.files.map(({ name }) => name)).toEqual(["a.ts"]);
    git("commit", "-qam", "second");
    expect((await diff()).body.files).toEqual([]);
    expect((await diff(root, `&against=${first}`)).body.files.length).toBe(2);
    expect((await diff(root, "&against=dead")).body.error.code).toBe("no-such-commit");
  });

  it("shows everything that is staged before the first commit", async () => {
    const here = temporaryWeb({ "a.ts": "x\n" }, [files]);
    execFileSync("git", ["init", "-q"], { cwd: here.root });
    execFileSync("git", ["add", "a.ts"], { cwd: here.root });
    const response = await here.app.request(`/api/diff?path=${encodeURIComponent(here.root)}`);
    expect(((await response.json()) as DiffView).files.map(({ name }) => name)).toEqual(["a.ts"]);
  });

  it("leaves out files with keys and says how many", async () => {
    const { root, diff } = repository();
    write(root, { ".env": "KEY=2\n", "server.pem": "secret", "a.ts": "changed\n" });
    const { body } = await diff();
    expect(body.files.map(({ name }) => name)).toEqual(["a.ts"]);
    expect(body).toMatchObject({ hidden: 1, untracked: [] });
    expect(body.text).not.toContain("KEY");
    expect((await diff(join(root, ".env"))).status).toBe(403);
  });

  it("is cut at 1 MB, in whole lines", async () => {
    const { root, diff } = repository();
    write(root, { "a.ts": `${"0123456789\n".repeat(150_000)}` });
    const { body } = await diff();
    expect(body.isCut).toBe(true);
    expect(body.text.length).toBeLessThan(1024 * 1024 + 1);
    expect(body.text.endsWith("+0123456789\n")).toBe(true);
  });

  it("shows the beginning of every file when one is very long, with the numbers of whole files", async () => {
    const { root, diff, git } = repository();
    write(root, { "b.ts": "x\n", "z.ts": "z\n" });
    git("add", "b.ts", "z.ts");
    git("commit", "-qm", "second");
    const long = "0123456789 0123456789\n".repeat(120_000);
    write(root, { "a.ts": long, "b.ts": long, "z.ts": "changed\n" });
    const { body } = await diff();
    expect(body.files.map(({ name, added, removed }) => [name, added, removed])).toEqual([
      ["a.ts", 120_000, 2],
      ["b.ts", 120_000, 1],
      ["z.ts", 1, 1],
    ]);
    const shown = parseDiff(body.text);
    expect(shown.map(({ path }) => path)).toEqual(["a.ts", "b.ts", "z.ts"]);
    for (const { hunks } of shown) expect(hunks.flatMap(({ lines }) => lines).length).toBeGreaterThan(1);
    expect(body.isCut).toBe(true);
    expect(body.text.length).toBeLessThan(1024 * 1024 + 1);
  });

  it("starts no program that a repository names", async () => {
    const { root, diff, git } = repository();
    const proof = join(root, "..", "ran");
    write(root, { ".gitattributes": "*.ts diff=evil\n" });
    git("add", ".gitattributes");
    git("commit", "-qm", "attributes");
    git("config", "diff.evil.textconv", `touch ${proof};`);
    write(root, { "a.ts": "changed\n" });
    expect((await diff()).body.error.code).toBe("git-refused");
    expect(existsSync(proof)).toBe(false);
  });

  it("refuses what is no commit's id, no repository, or not allowed", async () => {
    const { root, diff } = repository();
    for (const against of ["--output=/tmp/x", "main", "HEAD~1", "-p", "HEAD;x", ""])
      expect((await diff(root, `&against=${encodeURIComponent(against)}`)).status).toBe(400);
    expect((await diff("/etc")).status).toBe(403);
    expect((await diff(join(root, ".git"))).status).toBe(403);
    const plain = temporaryWeb({ "a.txt": "" }, [files]);
    const response = await plain.app.request(`/api/diff?path=${encodeURIComponent(plain.root)}`);
    expect(response.status).toBe(404);
    writeFileSync(join(root, ":(glob)*.ts"), "odd name");
    expect((await diff(join(root, ":(glob)*.ts"))).body.untracked).toEqual([join(root, ":(glob)*.ts")]);
  });
});
