import { describe, expect, it } from "vitest";
import type { Edit } from "../../../../src/moments/tool-use.ts";
import { judgeEdit, judgeEditsOf, setOf, texts } from "./judging.ts";

const NO_ANY = { edits: { never: "\\bany\\b", except: "any-ok" } };

describe("never, in edits", () => {
  it("finds each added line that matches, with its number, and leaves exceptions alone", async () => {
    const set = await setOf(NO_ANY);
    const { breaches, occasions } = judgeEdit(set, "", {
      hunks: [
        { text: "many\nlet a: any;\nlet b: any; // any-ok", line: 10 },
        { text: "any" },
        { text: "fine\n\n  as any\t", line: 100 },
      ],
    });
    expect(breaches).toMatchObject([
      { rule: "r.md", name: "r", on: "edits", reaction: "remind", path: "src/a.ts", line: 11 },
      { text: "any" },
      { text: "  as any", line: 102 },
    ]);
    expect(breaches[0]?.text).toBe("let a: any;");
    expect(breaches[1]).not.toHaveProperty("line");
    expect(occasions).toEqual([`r.md#${breaches[0]?.check}`]);
  });

  it("says nothing about an edit that breaks nothing, which is an occasion all the same", async () => {
    const { breaches, occasions } = judgeEdit(await setOf(NO_ANY), "const company = 1;");
    expect(breaches).toEqual([]);
    expect(occasions).toHaveLength(1);
  });

  it("has nothing to look at in an edit that only removes lines", async () => {
    const set = await setOf({ edits: [{ never: "x" }, { must: "y" }] });
    expect(judgeEdit(set, "", { hunks: [] })).toEqual({ breaches: [], occasions: [] });
    expect(judgeEdit(set, "\n  \n")).toEqual({ breaches: [], occasions: [] });
  });

  it("sees the beginning and the end of each line, also before a carriage return", async () => {
    const set = await setOf({ edits: { never: "^export default;$" } });
    expect(judgeEdit(set, "a\r\nexport default;\r\nb").breaches).toHaveLength(1);
    expect(judgeEdit(set, " export default;\nexport default; x").breaches).toEqual([]);
    const returns = await setOf({ edits: { never: "\\r$" } });
    expect(judgeEdit(returns, "a\r\nb\nc\r").breaches).toHaveLength(2);
  });

  it("distinguishes case, unless the pattern begins with (?i)", async () => {
    const text = "TODO\ntodo\nToDo: İstanbul";
    expect(texts(judgeEdit(await setOf({ edits: { never: "todo" } }), text))).toEqual(["todo"]);
    expect(judgeEdit(await setOf({ edits: { never: "(?i)todo" } }), text).breaches).toHaveLength(3);
    expect(judgeEdit(await setOf({ edits: { never: "(?i)É" } }), "É\né").breaches).toHaveLength(2);
  });

  it("gives the same place to the same text in the same file, and another one elsewhere", async () => {
    const set = await setOf(NO_ANY);
    const place = (text: string, edit?: Partial<Edit>) => judgeEdit(set, text, edit).breaches[0]?.place;
    const first = place("let a: any;", { hunks: [{ text: "let a: any;", line: 1 }] });
    expect(place("x\n\n    let a: any; ")).toBe(first);
    expect(place("let b: any;")).not.toBe(first);
    expect(place("let a: any;", { path: "src/b.ts" })).not.toBe(first);
  });

  it("lists at most 20 places of a check in a call, and counts the others", async () => {
    const set = await setOf(NO_ANY);
    const text = Array.from({ length: 35 }, (_, i) => `let a${i}: any;`).join("\n");
    const { breaches } = judgeEditsOf(set, [
      { path: "a.ts", kind: "part", hunks: [{ text }] },
      { path: "b.ts", kind: "part", hunks: [{ text }] },
    ]);
    expect(breaches).toHaveLength(20);
    expect(breaches.map(({ more }) => more).filter((more) => more !== undefined)).toEqual([50]);
    expect(breaches.at(-1)?.more).toBe(50);
  });
});

describe("must, in edits", () => {
  it("is met by one added line; otherwise the file is named once", async () => {
    const set = await setOf({ edits: { must: "SPDX" } });
    expect(judgeEdit(set, "// SPDX: MIT\ncode").breaches).toEqual([]);
    expect(judgeEdit(set, "code\nmore").breaches).toMatchObject([{ path: "src/a.ts", text: "" }]);
  });

  it("is met by any part of one call's edits of a file", async () => {
    const set = await setOf({ edits: { must: "SPDX" } });
    const edit = (path: string, text: string): Edit => ({ path, kind: "part", hunks: [{ text }] });
    const { breaches } = judgeEditsOf(set, [edit("a.ts", "x"), edit("b.ts", "y"), edit("a.ts", "SPDX")]);
    expect(breaches.map(({ path }) => path)).toEqual(["b.ts"]);
  });

  it("with new looks only at files that the call creates", async () => {
    const set = await setOf({ edits: { must: "SPDX", new: true } });
    expect(judgeEdit(set, "code")).toEqual({ breaches: [], occasions: [] });
    expect(judgeEdit(set, "code", { kind: "whole", isNew: false }).occasions).toEqual([]);
    expect(judgeEdit(set, "code", { kind: "whole", isNew: true }).breaches).toHaveLength(1);
  });

  it("with new looks at whole files that may be new, and says that they may be old", async () => {
    const set = await setOf({ edits: { must: "SPDX", new: true } });
    const judged = (edit: Partial<Edit>, mayBeNew = true) =>
      judgeEdit(set, "code", edit, { mayBeNew: () => mayBeNew }).breaches;
    expect(judged({ kind: "whole" })).toMatchObject([{ path: "src/a.ts", text: "", mayBeOld: true }]);
    expect(judged({ kind: "whole" }, false)).toEqual([]);
    expect(judged({ kind: "whole", isNew: false })).toEqual([]);
    expect(judged({ kind: "part" })).toEqual([]);
    expect(judged({ kind: "whole", isNew: true })[0]).not.toHaveProperty("mayBeOld");
  });
});

describe("files of a check", () => {
  it("are globs relative to the project; ! and the first match do not depend on their order", async () => {
    const set = await setOf({ edits: { never: "x", files: 'src/**/*.ts, "!**/*.test.ts", *.md' } });
    const isLookedAt = (path: string) => judgeEdit(set, "x", { path }).breaches.length === 1;
    expect(isLookedAt("src/deep/a.ts")).toBe(true);
    expect(isLookedAt("docs/a.md")).toBe(true);
    expect(isLookedAt("src/a.test.ts")).toBe(false);
    expect(isLookedAt("lib/a.ts")).toBe(false);
    expect(isLookedAt("/etc/a.md")).toBe(false);
  });

  it("without globs are all files, also outside of the project", async () => {
    const set = await setOf({ edits: { never: "x" } });
    for (const path of ["a", ".env", "/home/me/.bashrc", "sub/Makefile"])
      expect(judgeEdit(set, "x", { path }).breaches).toHaveLength(1);
  });
});

describe("a file that an edit gives as a whole", () => {
  const whole = (before: string | undefined): Partial<Edit> => ({ kind: "whole", before: () => before });

  it("breaks a rule only by lines that were not there before", async () => {
    const set = await setOf(NO_ANY);
    const before = "let a: any;\nlet b: any;\nlet c = 1;";
    expect(judgeEdit(set, `  ${before}`, whole(before)).breaches).toEqual([]);
    expect(judgeEdit(set, `let d: any;\n${before}`, whole(before)).breaches).toMatchObject([
      { text: "let d: any;", line: 1 },
    ]);
    // The same line once more is a new one.
    expect(judgeEdit(set, `${before}\nlet a: any;`, whole(before)).breaches).toMatchObject([{ line: 4 }]);
  });

  it("is asked what stood there before only if something was found", async () => {
    const set = await setOf(NO_ANY);
    let asked = 0;
    const edit: Partial<Edit> = { kind: "whole", before: () => String(asked++) };
    judgeEdit(set, "fine", edit);
    expect(asked).toBe(0);
    judgeEdit(set, "any\nany", edit);
    expect(asked).toBe(1);
  });

  it("whose former content nobody knows is told with that doubt", async () => {
    const set = await setOf(NO_ANY);
    expect(judgeEdit(set, "any", whole(undefined)).breaches).toMatchObject([{ mayBeOld: true }]);
    expect(judgeEdit(set, "any", { kind: "whole" }).breaches).toMatchObject([{ mayBeOld: true }]);
    expect(judgeEdit(set, "any", { kind: "whole", isNew: true }).breaches[0]).not.toHaveProperty("mayBeOld");
    expect(judgeEdit(set, "any").breaches[0]).not.toHaveProperty("mayBeOld");
  });
});

describe("generated and binary files", () => {
  it.each([
    "node_modules/a/index.js",
    "packages/x/dist/a.js",
    "build/a.js",
    "vendor/lib.go",
    "package-lock.json",
    "sub/yarn.lock",
    "Cargo.lock",
    "pnpm-lock.yaml",
    "go.sum",
    "lib/a.min.js",
    "test/__snapshots__/a.test.ts.snap",
  ])("%s is not looked at, unless a check names it", async (path) => {
    const everything = await setOf({ edits: [{ never: "x" }, { never: "y", files: "**/*" }] });
    expect(judgeEdit(everything, "xy", { path })).toEqual({ breaches: [], occasions: [] });
    const named = await setOf({ edits: { never: ".", files: path } });
    expect(judgeEdit(named, "xy", { path }).breaches).toHaveLength(1);
  });

  it.each(["src/distance.ts", "rebuild/a.ts", "src/vendor.ts", "locks/a.lock.ts", "admin.js", "a.snapshot"])(
    "%s is an ordinary file",
    async (path) => {
      expect(judgeEdit(await setOf({ edits: { never: "x" } }), "x", { path }).breaches).toHaveLength(1);
    },
  );

  it("a folder may be forbidden as a whole", async () => {
    const set = await setOf({ edits: { never: ".", files: "vendor/**", reaction: "deny" } });
    expect(judgeEdit(set, "x", { path: "vendor/a.go" }).breaches).toMatchObject([{ reaction: "deny" }]);
  });

  it("are recognised by their first lines and by NUL", async () => {
    const set = await setOf({ edits: { never: "x" } });
    const remark = "// Code generated by a tool. DO NOT EDIT.\nx";
    expect(judgeEdit(set, remark, { kind: "whole" }).occasions).toEqual([]);
    expect(judgeEdit(set, "// @generated\nx", { isNew: true }).occasions).toEqual([]);
    expect(judgeEdit(set, "x\0x").occasions).toEqual([]);
    // Code that writes such a remark is not generated itself.
    expect(judgeEdit(set, `write("@generated");\nx`).breaches).toHaveLength(1);
  });
});

describe("too much text", () => {
  it("is not searched: checks that stop a call come first, at most 20 in all", async () => {
    const edits = Array.from({ length: 45 }, (_, i) => ({
      never: `x${i}`,
      reaction: i === 40 ? "deny" : "remind",
    }));
    const { breaches, occasions } = judgeEdit(await setOf({ edits }), "x1\n".repeat(700_000));
    expect(occasions).toEqual([]);
    expect(breaches).toHaveLength(20);
    expect(breaches.every(({ isUnknown }) => isUnknown)).toBe(true);
    expect(breaches[0]).toMatchObject({ reaction: "deny", path: "src/a.ts", text: "" });
  });

  it("and a check that needs too many steps is unknown; others are judged", async () => {
    const set = await setOf({ edits: [{ never: "first" }, { never: "[a-c]{3}\\d" }, { never: "last" }] });
    const text = "first\nlast\nabcabc";
    const { breaches } = judgeEdit(set, `${text}\n${"abc\n".repeat(1000)}`, {}, { steps: 3000 });
    expect(breaches.map((one) => one.isUnknown ?? one.text)).toEqual(["first", true, true]);
  });

  it("has its offending line clipped", async () => {
    const set = await setOf({ edits: { never: "x" } });
    expect(judgeEdit(set, "x".repeat(100_000)).breaches[0]?.text.length).toBeLessThan(2000);
  });
});
