import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { configEntries } from "../../src/git/repository.ts";

/** What git itself reads; undefined if it refuses the file. */
function asGit(text: string): string[] | undefined {
  const args = ["config", "--file", "-", "--list", "-z", "--name-only", "--no-includes"];
  const { status, stdout } = spawnSync("git", args, {
    input: text,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return status === 0 ? stdout.split("\0").filter((key) => key !== "") : undefined;
}

const PIECES = [
  ...'[core]|[core] |[ core]|[Core]|[filter "x"]|[filter "x y"]|[filter.x]|[core]a=b|[a]b]|[remote "o\\"p"]'.split(
    "|",
  ),
  ...'a = b|\tclean = evil|a|a=|a = "b|a = "b"|a = b \\|a = b\\\\|a = b ; c \\|; x|# x \\|#|=|a b = c|a-b = c|-a = c|a_b = c'.split(
    "|",
  ),
  ...'\\| \\|"|]|[|[]|a = [x]|a = b # [filter "x"]|clean\r|a = b\r|a = b\\\r|\r|\ufeff|\u00a0a = b|\va = b|\fa|a\u2028= b'.split(
    "|",
  ),
];

describe("the entries of a git config", () => {
  it("are those that git lists, for every file that is accepted", () => {
    let understood = 0;
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let round = 0; round < 400; round++) {
      const lines = Array.from({ length: 1 + random(5) }, () => PIECES[random(PIECES.length)] ?? "");
      const text = `${random(2) === 0 ? "[core]\n" : ""}${lines.join("\n")}${random(2) === 0 ? "\n" : ""}`;
      const entries = configEntries(text);
      const known = entries === undefined ? undefined : asGit(text);
      if (entries === undefined || known === undefined) continue;
      understood++;
      expect(
        entries.map(({ key }) => key),
        JSON.stringify(text),
      ).toEqual(known);
    }
    expect(understood).toBeGreaterThan(30);
  });

  it("are read from a file that git itself writes", () => {
    const text =
      '[core]\n\tbare = false\n\tworktree = "../a b"\n[remote "origin"]\n\turl = git@x:y.git\n[branch "a/b"]\n\tmerge = m\n';
    expect(configEntries(text)).toEqual([
      { key: "core.bare", value: "false" },
      { key: "core.worktree", value: "../a b" },
      { key: "remote.origin.url", value: "git@x:y.git" },
      { key: "branch.a/b.merge", value: "m" },
    ]);
  });
});
