import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MOST_LENGTH, MOST_LINES, parseDiff } from "../../../src/web/page/parts/diff/parse-diff.ts";
import { temporaryFolder } from "../../support/world.ts";

/** What git itself prints. */
function changes(before: Record<string, string>, change: (at: (name: string) => string) => void): string {
  const root = temporaryFolder("diff");
  const at = (name: string) => join(root, name);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
  git("init", "-q");
  mkdirSync(at("src"));
  for (const [name, text] of Object.entries(before)) writeFileSync(at(name), text);
  git("add", "-A");
  git("commit", "-qm", "first");
  change(at);
  git("add", "-A");
  return git("diff", "-M", "--cached");
}

it("a diff has the files, lines and numbers that git prints, whatever the lines look like", () => {
  const text = changes(
    { "a.sql": "-- one\nsame\n++ two\n", "src/b.ts": "b\nb\nb\n", "gone.ts": "g\n", "bin.dat": "\0" },
    (at) => {
      writeFileSync(at("a.sql"), "same\n++ three\n@@ -1 +1 @@\ndiff --git a/x b/x");
      renameSync(at("src/b.ts"), at("src/größe 1.ts"));
      rmSync(at("gone.ts"));
      writeFileSync(at("bin.dat"), "\0\0");
      writeFileSync(at("new.ts"), "n\n");
    },
  );
  const files = parseDiff(text);
  expect(files.map(({ path, what, added, removed, left }) => [path, what, added, removed, left])).toEqual([
    ["a.sql", "changed", 3, 2, 0],
    ["bin.dat", "binary", 0, 0, 0],
    ["gone.ts", "deleted", 0, 1, 0],
    ["new.ts", "added", 1, 0, 0],
    ["src/größe 1.ts", "renamed", 0, 0, 0],
  ]);
  expect(files[4]?.from).toBe("src/b.ts");
  expect(files[0]?.hunks).toEqual([
    {
      lines: [
        { kind: "removed", text: "-- one", before: 1 },
        { kind: "same", text: "same", before: 2, after: 1 },
        { kind: "removed", text: "++ two", before: 3 },
        { kind: "added", text: "++ three", after: 2 },
        { kind: "added", text: "@@ -1 +1 @@", after: 3 },
        { kind: "added", text: "diff --git a/x b/x", after: 4 },
      ],
    },
  ]);
});

it("a diff over the limit shows its beginning, and its numbers are those of the whole", () => {
  const files = parseDiff(
    changes({ "a.ts": "old\n" }, (at) => writeFileSync(at("a.ts"), "new\n".repeat(60_000))),
  );
  const [{ added, removed, left, hunks } = expect.unreachable()] = files;
  expect([added, removed, left]).toEqual([60_000, 1, 60_001 - MOST_LINES]);
  expect(hunks.flatMap((hunk) => hunk.lines).length).toBe(MOST_LINES);
});

it("a very long line is cut, and says how much is left", () => {
  const files = parseDiff(
    changes({ "a.js": "x\n" }, (at) => writeFileSync(at("a.js"), "y".repeat(3_000_000))),
  );
  const texts = files[0]?.hunks[0]?.lines.map(({ text }) => text) ?? [];
  expect(texts[1]).toBe(`${"y".repeat(MOST_LENGTH)} … 2,998,000 more characters`);
});

it("a diff of tool calls has the paths as they are, several files, and hunks that are shorter than they say", () => {
  const text = [
    ...["--- a/x.ts", "+++ a/x.ts", "@@ -1,1 +1,1 @@", "-1", "+2", "@@ -9,3 +9,3 @@", " a", "-b"],
    ...["@@ -20,2 +20,1 @@", "", "-c"],
    ...["--- y.ts\tsaved", "+++ y.ts\there", "@@ -1 +1 @@", "-old", "\\ No newline at end of file", "+new"],
  ].join("\n");
  expect(parseDiff(text).map(({ path, hunks }) => [path, hunks.map((hunk) => hunk.lines.length)])).toEqual([
    ["a/x.ts", [2, 2, 2]],
    ["y.ts", [2]],
  ]);
  expect(parseDiff("no diff at all\n-x")).toEqual([]);
  const cut = parseDiff("--- a\n+++ a\n@@ -1,9 +1,9 @@\n-1\n+2\n");
  expect(cut[0]?.hunks[0]?.lines.length).toBe(2);
});
