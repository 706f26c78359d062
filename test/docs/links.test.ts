import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/child.ts";
import { codeIn, PAGES, page } from "./pages.ts";

const links = PAGES.flatMap(({ path, text }) =>
  [...text.replace(/```[\s\S]*?```|`[^`\n]+`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => ({
    path,
    link,
  })),
);
const relative = links.filter(({ link }) => !/^[a-z]+:/.test(link));

/** As GitHub makes them. */
function anchorsOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?```/g, "")
    .split("\n")
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) => line.replace(/^#+ /, "").trim().toLowerCase())
    .map((title) => title.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

describe("pages", () => {
  it("link only to files that exist", () => {
    const dead = relative.filter(({ path, link }) => {
      const file = link.split("#")[0] ?? "";
      return file !== "" && !existsSync(join(ROOT, dirname(path), file));
    });
    expect(relative.length).toBeGreaterThan(100);
    expect(dead).toEqual([]);
  });

  it("link only to headings that exist", () => {
    const anchored = relative.filter(({ link }) => link.includes("#"));
    const dead = anchored.filter(({ path, link }) => {
      const [file = "", anchor = ""] = link.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      return !anchorsOf(page(target)).includes(anchor);
    });
    expect(anchored.length).toBeGreaterThan(10);
    expect(dead).toEqual([]);
  });

  it("name only files and folders of this repository that exist", () => {
    const named = PAGES.flatMap(({ path, text }) =>
      codeIn(text).flatMap((code) =>
        [...code.matchAll(/(?<![\w./-])(?:src|test|bench|scripts|docs)\/[\w./*<>-]*/g)].map(([file]) => ({
          path,
          file,
        })),
      ),
    ).filter(({ path, file }) => !/[*<>]/.test(file) && !isExample(path, file));
    const missing = named.filter(({ file }) => !existsSync(join(ROOT, file.replace(/\.$/, ""))));
    expect(named.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it("for users are all listed in the README, and those for contributors in how-it-works", () => {
    const listed = (from: string) =>
      relative.filter(({ path }) => path === from).map(({ link }) => posix.join(posix.dirname(from), link));
    const missing = (shape: RegExp, from: string) =>
      PAGES.map(({ path }) => path).filter((path) => shape.test(path) && !listed(from).includes(path));
    expect(missing(/^docs\/[^/]+$|^docs\/hosts\//, "README.md")).toEqual([]);
    expect(missing(/^docs\/design\/[^/]+$/, "docs/how-it-works.md")).toEqual([]);
  });
});

/** Paths of a reader's own project, in the pages that show how a rule or a command takes one. */
function isExample(page: string, file: string): boolean {
  const pages = [
    "README.md",
    "docs/rules.md",
    "docs/design/rules.md",
    "docs/commands.md",
    "docs/context.md",
    "docs/getting-started.md",
    "docs/design/context-sets.md",
  ];
  const folders = ["src/hosts/acme/", "src/sources/todos/"];
  return (
    (pages.includes(page) && !file.startsWith("docs/design/") && !/^src\/sources/.test(file)) ||
    (page === "docs/design/state.md" && file === "src/a.ts") ||
    (page === "CONTRIBUTING.md" && folders.some((folder) => file.startsWith(folder)))
  );
}
