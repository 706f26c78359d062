import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../src/base/errors.ts";
import { formatContextForResume } from "../../../src/sources/sets/card.ts";
import { changeContext } from "../../../src/sources/sets/change.ts";
import { type Context, countItems, mergeContextSet } from "../../../src/sources/sets/sets.ts";
import { cpuSeconds } from "../../support/cpu-time.ts";

const PLACE = { cwd: "/work/shop", home: "/home/me" };
const ten = Array.from({ length: 10 }, (_, i) => `i${i}`);
const some = fc.array(fc.string({ maxLength: 3 }), { maxLength: 30 });

function refusal(work: () => unknown): ContinuoError {
  try {
    work();
  } catch (error) {
    if (error instanceof ContinuoError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
const put = (setName: unknown, items: unknown, mode?: unknown, context: Context = {}) =>
  changeContext(context, { setName, items, mode }, PLACE);

describe("mergeContextSet", () => {
  it("replaces with the first ten, merges with the newest ten", () => {
    expect(mergeContextSet(["a"], ["b", "c", "b"], "replace")).toEqual(["b", "c"]);
    expect(mergeContextSet(["a", "b"], ["c", "a"], "merge")).toEqual(["b", "c", "a"]);
    expect(mergeContextSet(ten, ["new"], "merge")).toEqual([...ten.slice(1), "new"]);
    expect(mergeContextSet([], [...ten, "more"], "replace")).toEqual(ten);
  });

  it("never has duplicates or more than ten; keeps the newest, in order; changes no argument", () => {
    fc.assert(
      fc.property(some, some, (existing, items) => {
        const frozen = [Object.freeze([...existing]), Object.freeze([...items])] as unknown as [
          string[],
          string[],
        ];
        const merged = mergeContextSet(...frozen, "merge");
        expect(new Set(merged).size).toBe(merged.length);
        expect(merged.length).toBe(Math.min(10, new Set([...existing, ...items]).size));
        const all = [...existing, ...items];
        const newestFirst = [...new Set(all.reverse())];
        expect(merged).toEqual(newestFirst.slice(0, 10).reverse());
        expect(mergeContextSet(...frozen, "replace")).toEqual([...new Set(items)].slice(0, 10));
      }),
    );
  });
});

describe("a change", () => {
  it("has the answer of the tool, and the items that a full set dropped", () => {
    expect(put("files", ["/a", "/b"]).text).toBe("Set files: 2 items");
    const merged = put("files", ["/c"], "merge", { files: ["/a", "/b"] });
    expect(merged).toMatchObject({ text: "Merged files: 3 items", added: ["/c"], removed: [], evicted: [] });
    expect(put("files", [], "replace", { files: ["/a"] })).toMatchObject({
      text: "Cleared files",
      context: {},
    });
    expect(put("files", undefined, "clear", { files: ["/a"] })).toMatchObject({
      removed: ["/a"],
      context: {},
    });
    const full = put("notes", ["x", "y"], "merge", { notes: ten });
    expect(full.text).toBe("Merged notes: 10 items (it was full; no longer in it: i0, i1)");
    expect(full.evicted).toEqual(["i0", "i1"]);
    expect(put("notes", [], "merge", {})).toMatchObject({ text: "Merged notes: 0 items", context: {} });
  });

  it("normalizes items for their set", () => {
    expect(put("files", ["a.ts", "../b", "~/c", "/d/../e"]).context["files"]).toEqual([
      "/work/shop/a.ts",
      "/work/b",
      "/home/me/c",
      "/e",
    ]);
    expect(put("ports", ["080", "80", "65535"]).context["ports"]).toEqual(["80", "65535"]);
    expect(put("endpoints", ["http://localhost:3000"]).context["endpoints"]).toEqual([
      "http://localhost:3000",
    ]);
    expect(put("applet", ["git-diff", "path=/a b", "x="]).context["applet"]).toHaveLength(3);
  });

  it("refuses items that a set does not accept, with a hint", () => {
    for (const [set, items, hint] of [
      ["ports", ["0"], /1 to 65535/],
      ["ports", ["65536"], /1 to 65535/],
      ["ports", [3000], /strings/],
      ["endpoints", ["localhost:3000"], /http:\/\/localhost/],
      ["endpoints", ["javascript:alert(1)"], /full URL/],
      ["endpoints", ["https://me:secret@host/"], /without user and password/],
      ["files", ["a\nb"], /one line/],
      ["files", ["https://x.y/z"], /endpoints/],
      ["files", [""], /some text/],
      ["files", ["\ud800"], /plain text/],
      ["notes", ["x".repeat(5000)], /4096/],
      ["notes", "one", /list of strings/],
      ["applet", ["Not A Slug"], /slug/],
      ["applet", ["a=b"], /slug first/],
      ["applet", ["git-diff", "other"], /slug first/],
      ["applet", ["a".repeat(65)], /64/],
      ["notes", Array.from({ length: 11 }, (_, i) => String(i)), /10 that matter/],
      ["__proto__", ["x"], /letter/],
      ["", ["x"], /files, applet/],
      [7, ["x"], /files, applet/],
      ["a/b", ["x"], /files, applet/],
    ] as const) {
      expect(refusal(() => put(set, items)).hint, `${set} ${items}`).toMatch(hint);
    }
    expect(refusal(() => changeContext({}, { setName: "files", items: ["a"] }, {})).hint).toMatch(/absolute/);
    expect(refusal(() => changeContext({}, { setName: "files", items: ["~/a"] }, {})).hint).toMatch(
      /absolute/,
    );
    expect(refusal(() => put("files", ["/a"], "mrge")).hint).toBe('did you mean "merge"?');
  });

  it("warns of a name that looks like a typo, and of no other", () => {
    expect(put("fles", ["x"]).warning).toContain('"files"');
    expect(put("Files", ["x"]).warning).toContain('"files"');
    expect(put("decisions", ["x"]).warning).toBeUndefined();
    expect(put("files", ["x"]).warning).toBeUndefined();
  });

  it("an applet keeps its slug first, whatever is merged", () => {
    const before = { applet: ["git-diff", "path=/a", "side=left"] };
    expect(put("applet", ["path=/b"], "merge", before).context["applet"]).toEqual([
      "git-diff",
      "side=left",
      "path=/b",
    ]);
    expect(put("applet", ["files", "path=/c"], "merge", before).context["applet"]).toEqual([
      "files",
      "path=/c",
    ]);
    const nine = Array.from({ length: 9 }, (_, i) => `k${i}=v`);
    const full = put("applet", ["new=1"], "merge", { applet: ["git-diff", ...nine] });
    expect(full.context["applet"]).toEqual(["git-diff", ...nine.slice(1), "new=1"]);
    expect(full.evicted).toEqual(["k0=v"]);
  });

  it("stops at fifty items in all, but lets a larger context that others wrote shrink", () => {
    const fifty: Context = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, ten]));
    expect(refusal(() => put("f", ["x", "y"], "merge", fifty)).message).toBe(
      "Context too large (52 items, max 50). Remove some items first.",
    );
    expect(put("a", ["x"], "merge", fifty).text).toContain("no longer in it: i0");
    const sixty = { ...fifty, f: ten };
    expect(countItems(put("f", ["x"], "replace", sixty).context)).toBe(51);
  });

  it("stays within the limits after any sequence, and leaves no empty set", () => {
    const step = fc.record({
      setName: fc.constantFrom(
        "files",
        "ports",
        "applet",
        "endpoints",
        "a",
        "b",
        "c",
        "constructor",
        "toString",
      ),
      items: fc.array(
        fc.oneof(fc.string(), fc.integer({ min: 1, max: 99 }).map(String), fc.constantFrom("aa", "k=v")),
        {
          maxLength: 12,
        },
      ),
      mode: fc.constantFrom("replace", "merge", "clear", undefined),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let context: Context = {};
        for (const one of steps) {
          try {
            context = changeContext(context, one, PLACE).context;
          } catch (error) {
            if (!(error instanceof ContinuoError)) throw error;
          }
          expect(countItems(context)).toBeLessThanOrEqual(50);
          for (const items of Object.values(context)) {
            expect(items.length).toBeGreaterThan(0);
            expect(items.length).toBeLessThanOrEqual(10);
            expect(new Set(items).size).toBe(items.length);
          }
        }
      }),
    );
  });

  it("refuses 50 MB quickly", () => {
    const spent = cpuSeconds(() => {
      expect(refusal(() => put("files", ["x".repeat(50_000_000)])).hint).toContain("4096");
      expect(refusal(() => put("x".repeat(50_000_000), ["x"])).message.length).toBeLessThan(200);
      expect(
        refusal(() =>
          put(
            "files",
            Array.from({ length: 1_000_000 }, (_, i) => String(i)),
          ),
        ).code,
      ).toBe("context-too-many");
      expect(refusal(() => put("files", ["/a"], "x".repeat(50_000_000))).code).toBe("context-mode");
    });
    expect(spent).toBeLessThan(3);
  });
});

describe("formatContextForResume", () => {
  it("has the text form of the sets", () => {
    const context = {
      ports: ["3000", "8080"],
      applet: ["git-diff", "path=/r", "side=left"],
      files: ["/here", "/gone", "/there"],
      branches: ["main"],
      empty: [],
    };
    expect(formatContextForResume(context, (path) => path !== "/gone")).toBe(
      [
        "Relevant files:\n- /here\n- /there\n(1 files not found)",
        "Last applet: git-diff (path=/r, side=left)",
        "branches: main",
        "ports: 3000, 8080",
      ].join("\n\n"),
    );
    expect(formatContextForResume({ files: ["/a", "/b"] }, () => false)).toBe("(2 files not found)");
    expect(formatContextForResume({ applet: ["x1"] }, () => true)).toBe("Last applet: x1");
    expect(formatContextForResume({}, () => true)).toBe("");
    expect(formatContextForResume({ files: "no list" } as never, () => true)).toBe("");
  });

  it("never throws, never calls an existing file missing, and does not depend on the order of sets", () => {
    const contexts = fc.dictionary(
      fc.oneof(fc.constantFrom("files", "applet", "ports", "__proto__", "constructor"), fc.string()),
      fc.array(fc.string(), { maxLength: 12 }),
    );
    fc.assert(
      fc.property(contexts, fc.func(fc.boolean()), (context, fileExists) => {
        const text = formatContextForResume(context, fileExists);
        const files = Object.hasOwn(context, "files") ? (context["files"] ?? []) : [];
        const there = files.filter((path) => fileExists(path));
        const missing = files.length - there.length;
        const alone = formatContextForResume({ files }, fileExists);
        expect(text.startsWith(alone)).toBe(true);
        // fc.string generates only printable characters, so every path is one line.
        const head = there.length === 0 ? [] : ["Relevant files:", ...there.map((path) => `- ${path}`)];
        expect(alone).toBe([...head, ...(missing === 0 ? [] : [`(${missing} files not found)`])].join("\n"));
        const turned = Object.fromEntries(Object.entries(context).reverse());
        expect(formatContextForResume(turned, fileExists)).toBe(text);
      }),
    );
  });
});
