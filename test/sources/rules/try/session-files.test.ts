import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../../src/sources/rules/rule.ts";
import { tryChecks } from "../../../../src/sources/rules/try/try-checks.ts";
import { history } from "../../../support/histories.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { bash, edit, read, type Step, writeFile, writeSession } from "./claude-session.ts";

const FILES = { include: [], exclude: [] };
const NO_ANY: Check = { on: "edits", id: "any", reaction: "remind", never: "\\bany\\b", files: FILES };
const LICENCE: Check = {
  on: "edits",
  id: "licence",
  reaction: "remind",
  must: "SPDX",
  isNewOnly: true,
  files: FILES,
};

async function tried(check: Check, steps: readonly Step[]) {
  const home = temporaryFolder();
  const env = { HOME: home, CONTINUO_HOME: join(home, "continuo"), XDG_DATA_HOME: join(home, "data") };
  writeSession(home, { id: "s1", cwd: "/work/shop", steps: [{ user: "Go." }, ...steps] });
  return tryChecks([{ key: "r.md", name: "r", checks: [check] }], { history, env });
}

/** The breaches of a session, as `path: text`. */
async function broken(check: Check, steps: readonly Step[]): Promise<string[]> {
  const { found } = await tried(check, steps);
  return found.map(({ path, text }) => `${path}: ${text}`);
}

describe("a file that a past session wrote as a whole", () => {
  it("is new if the session had neither read nor edited it", async () => {
    expect(await broken(LICENCE, [writeFile("a.ts", "code")])).toEqual(["a.ts: "]);
    expect(await broken(LICENCE, [read("a.ts", "old"), writeFile("a.ts", "code")])).toEqual([]);
    const shell = bash("cat > a.ts <<'E'\n// SPDX\nE");
    expect(await broken(LICENCE, [shell, writeFile("a.ts", "code")])).toEqual([]);
    expect(await broken(LICENCE, [read("b.ts", "old"), writeFile("a.ts", "code")])).toEqual(["a.ts: "]);
  });

  it("is new if reading it failed", async () => {
    const steps = [read("a.ts", "File does not exist.", { fails: true }), writeFile("a.ts", "code")];
    expect(await broken(LICENCE, steps)).toEqual(["a.ts: "]);
  });

  it("is new or not as the host says, if it does", async () => {
    const created = writeFile("a.ts", "code", { kept: { type: "create", originalFile: null } });
    expect(await broken(LICENCE, [read("a.ts", "deleted later"), created])).toEqual(["a.ts: "]);
    const replaced = writeFile("a.ts", "code", { kept: { type: "update", originalFile: "old" } });
    expect(await broken(LICENCE, [replaced])).toEqual([]);
  });

  it("adds only lines that the session had not seen in it", async () => {
    const text = "let a: any;\nlet b: any;";
    for (const seen of ["let a: any;", "     1\tlet a: any;", "  12→  let a: any;", "00012| let a: any;"])
      expect(await broken(NO_ANY, [read("a.ts", seen), writeFile("a.ts", text)])).toEqual([
        "a.ts: let b: any;",
      ]);
    expect(await broken(NO_ANY, [read("b.ts", "let a: any;"), writeFile("a.ts", text)])).toHaveLength(2);
  });

  it("adds no line that the session itself had put there", async () => {
    const steps = [edit("a.ts", "let a: any;"), writeFile("a.ts", "let a: any;\nlet b: any;")];
    // One by the edit, and one by the whole file.
    expect(await tried(NO_ANY, steps)).toMatchObject({ breaches: 2, occasions: 2 });
  });

  it("adds only lines that the host says were not there", async () => {
    const kept = { type: "update", originalFile: "let a: any;\n" };
    expect(await broken(NO_ANY, [writeFile("a.ts", "let a: any;\nlet b: any;", { kept })])).toEqual([
      "a.ts: let b: any;",
    ]);
  });
});
