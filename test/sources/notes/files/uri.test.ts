import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contractSlug, slugify } from "../../../../src/base/slug.ts";
import { contractCode } from "../../../../src/sources/notes/files/failures.ts";
import { identify } from "../../../../src/sources/notes/files/identify.ts";
import { walkNotes } from "../../../../src/sources/notes/files/list-notes.ts";
import {
  isSafePath,
  parseUri,
  pathBelow,
  safeSegments,
  uriOf,
} from "../../../../src/sources/notes/files/uri.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { memoryWith } from "./memory.ts";

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return contractCode(error);
  }
}

describe("addresses", () => {
  it.each([
    "memory://../../etc/passwd",
    "memory://a/../../b",
    "memory://..",
    "memory://%2e%2e/%2e%2e/etc/passwd",
    "memory://%2e%2e%2fetc",
    "memory://%252e%252e/x",
    "memory://..%5cx",
    "memory://..\\..\\x",
    "memory:///etc/passwd",
    "memory:////server/share/x",
    "memory://\\\\server\\share",
    "memory://C:/Windows/x",
    "memory://c:x",
    "memory://a\0b",
    "memory://a%00b",
    "memory://.. /x",
    "memory://nul",
    "memory://a/CON.md",
    "memory://",
    "memory://@vault/../x",
    "/etc/passwd",
    "../outside",
  ])("%j is refused", (identifier) => {
    const root = memoryWith({ "a.md": "x", "../outside.md": "secret" });
    const vault = memoryWith({}, "vault");
    const code = codeOf(() => identify(identifier, [root, vault]));
    expect(code).toBe("PATH_VALIDATION_ERROR");
  });

  it("never lead out of the root, whatever they contain", () => {
    const root = memoryWith();
    const part = fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "%2e%2e",
        "/",
        "\\",
        "%2f",
        "%5C",
        "~",
        "C:",
        "a",
        "\0",
        "@x",
        " ",
        "…",
        "%",
        "%25",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom("/", "\\", ""), (parts, join) => {
        const text = parts.join(join);
        if (!isSafePath(text)) return;
        const path = resolve(pathBelow(root, safeSegments(text)));
        expect(path.startsWith(root.path + sep)).toBe(true);
      }),
    );
  });

  it("through a link out of the root are refused, through a link inside it are not", () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "x");
    const root = memoryWith({ "real/a.md": "x" });
    symlinkSync(outside, join(root.path, "out"));
    symlinkSync(join(outside, "secret.md"), join(root.path, "file.md"));
    symlinkSync(join(root.path, "real"), join(root.path, "inner"));
    expect(codeOf(() => identify("memory://out/secret", [root]))).toBe("PATH_VALIDATION_ERROR");
    expect(codeOf(() => identify("memory://out/new/deep", [root]))).toBe("PATH_VALIDATION_ERROR");
    expect(codeOf(() => identify("memory://file", [root]))).toBe("PATH_VALIDATION_ERROR");
    expect(identify("memory://inner/a", [root]).path).toBe(join(root.path, "inner", "a.md"));
  });

  it("lead back to their file, in every root", () => {
    const names = [
      "a",
      "a.md",
      "A.MD",
      "b c",
      "é",
      "v1.2",
      "@at/x",
      "100%",
      "a%20b",
      "日本/語",
      "a#b",
      "x|y",
      ".md",
    ];
    for (const root of [memoryWith(), memoryWith({}, "vault")]) {
      for (const name of names) {
        const path = join(root.path, /md$/i.test(name) ? `q-${name}` : `${name}.md`);
        mkdirSync(join(path, ".."), { recursive: true });
        writeFileSync(path, "x");
        const { segments } = parseUri(uriOf(root, path), [root]);
        expect(pathBelow(root, segments)).toBe(path);
        expect(identify(uriOf(root, path), [root]).uri).toBe(uriOf(root, path));
      }
    }
  });

  it("find a file in the spelling on disk", () => {
    const root = memoryWith({ "Tech/Caf\u00e9.md": "x" });
    expect(identify("memory://tech/cafe\u0301", [root]).uri).toBe("memory://Tech/Caf\u00e9");
  });
});

describe("a note identified by its title", () => {
  it("is found by its file name in any folder, by path, and by the text of a link", () => {
    const root = memoryWith({ "deep/er/hello-world.md": "x", "Other Note.md": "y" });
    for (const name of ["Hello World", "hello_world", "deep/er/hello-world", "[[Hello World|x]]"]) {
      expect(identify(name, [root]).uri).toBe("memory://deep/er/hello-world");
    }
    expect(identify("other note", [root]).uri).toBe("memory://Other Note");
    expect(identify(join(root.path, "Other Note.md"), [root]).uri).toBe("memory://Other Note");
  });

  it("that several notes have is refused with their addresses", () => {
    const root = memoryWith({ "a/same.md": "x", "b/same.md": "y" });
    expect(() => identify("Same", [root])).toThrow("memory://a/same, memory://b/same");
  });

  it("that no note has is refused with a similar one", () => {
    const root = memoryWith({ "a/database.md": "x" });
    expect(() => identify("databse", [root])).toThrow(
      expect.objectContaining({ code: "note-not-found", hint: "did you mean memory://a/database?" }),
    );
  });
});

describe("a title as a file name", () => {
  it.each([
    ["Hello World", "hello-world"],
    ["  a__b  c!", "a-b-c"],
    ["C# / .NET", "c-net"],
    ["!!!", "untitled"],
    ["", "untitled"],
    ["Über die Brücke", "über-die-brücke"],
    ["日本語 メモ", "日本語-メモ"],
    ["CON", "con-note"],
  ])("%j is %j", (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it("is maenifold's for any ASCII title of usual length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 100 }), (title) => {
        const slug = slugify(title);
        expect(slug.replace(/-note$/, "")).toBe(contractSlug(title).replace(/-note$/, ""));
      }),
    );
  });

  it("is portable and stable when converted again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
        const slug = slugify(title);
        expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(160);
        expect(slug).toMatch(/^[^\s<>:"/\\|?*.\x00-\x1f]+$/u);
        expect(slugify(title.normalize("NFD"))).toBe(slug);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });

  it("differs for titles of symbols only and for long ones with the same beginning", () => {
    const long = "x".repeat(300);
    expect(new Set(["🎉", "🎈", `${long}a`, `${long}b`].map(slugify)).size).toBe(4);
  });
});

describe("the notes of a root", () => {
  it("are listed in order, without hidden files, links and other files", () => {
    const root = memoryWith({
      "b.md": "x",
      "a/c.MD": "xy",
      "a.txt": "x",
      ".obsidian/x.md": "x",
      ".trash/x.md": "x",
      "node_modules/p/x.md": "x",
      ".hidden.md": "x",
    });
    mkdirSync(join(root.path, "folder.md"));
    symlinkSync(root.path, join(root.path, "a", "loop"));
    symlinkSync(join(root.path, "b.md"), join(root.path, "z.md"));
    const seen = [...walkNotes(root)];
    expect(seen.map(({ uri, size }) => [uri, size])).toEqual([
      ["memory://b", 1],
      ["memory://a/c.MD", 2],
    ]);
    expect(seen[0]?.modified).toBeGreaterThan(Date.now() - 60_000);
  });

  it("skip files that are deleted meanwhile", () => {
    const root = memoryWith({ "a.md": "", "b.md": "", "c/d.md": "", "e/f.md": "" });
    const seen: string[] = [];
    for (const { uri } of walkNotes(root)) {
      if (seen.push(uri) > 1) continue;
      rmSync(join(root.path, "b.md"));
      rmSync(join(root.path, "c"), { recursive: true });
    }
    expect(seen).toEqual(["memory://a", "memory://e/f"]);
  });

  it("of a folder that does not exist are none", () => {
    const root = memoryWith();
    expect([...walkNotes({ ...root, path: join(root.path, "none") })]).toEqual([]);
    expect(readdirSync(root.path)).toEqual([]);
  });
});
