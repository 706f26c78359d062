import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST_NAMES } from "../../src/base/host-names.ts";
import { MODULES } from "../../src/sources/index.ts";
import { homeAt } from "../../src/store/home.ts";
import { ROOT } from "../support/child.ts";
import { page } from "./pages.ts";

const source = globSync("src/**/*.ts", { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
  .join("\n");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** What is between backticks in the first column of every table. */
const firstColumn = (text: string) =>
  [...text.matchAll(/^\| (`[^|]*`[^|]*)\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );

describe("hosts", () => {
  it("are the ones in the installation page", () => {
    const table = page("docs/install.md").split("\n## ")[1] ?? "";
    expect(firstColumn(table)).toEqual(expect.arrayContaining([...HOST_NAMES]));
    expect(firstColumn(table)).toHaveLength(HOST_NAMES.length);
  });

  it("each have a page for users and one for contributors, and no other host has", () => {
    const wanted = [...HOST_NAMES, "mcp", "copilot-sdk"].map((name) => `${name}.md`).sort();
    for (const folder of ["docs/hosts", "docs/design/hosts"]) {
      expect(globSync("*.md", { cwd: join(ROOT, folder) }).sort()).toEqual(wanted);
    }
  });

  it("and sources are in the picture of the house", () => {
    const picture = page("docs/design/architecture.md").split("\n## ")[1] ?? "";
    const sources = globSync("src/sources/*/", { cwd: ROOT }).map((path) => basename(path));
    const names = [...HOST_NAMES, ...sources];
    expect(names.filter((name) => !new RegExp(`[ │]${name}[ │]`).test(picture))).toEqual([]);
  });
});

describe("sources", () => {
  it("are the ones that the glossary and the page how-it-works name", () => {
    const names = MODULES.map((module) => module.source.name).sort();
    for (const [path, line] of [
      ["CONTEXT.md", /\*\*Source\*\*: one of ([a-z, ]+)\./],
      ["docs/how-it-works.md", /\*\*source\*\* \| [a-z ]+; ([a-z, ]+) \|/],
    ] as const) {
      expect(line.exec(page(path))?.[1]?.split(", ").toSorted()).toEqual(names);
    }
  });
});

describe("folders", () => {
  it("of src are all in the architecture page", () => {
    const folders = globSync("src/*/", { cwd: ROOT }).concat(globSync("src/sources/*/", { cwd: ROOT }));
    const rows = firstColumn(page("docs/design/architecture.md"));
    const missing = folders
      .map((path) => `${path.replaceAll("\\", "/").replace(/\/$/, "")}/`)
      .filter((path) => !path.endsWith(".ts/"))
      .filter((path) => !rows.includes(path));
    expect(missing).toEqual([]);
  });
});

describe("files below the home", () => {
  const rows = firstColumn(page("docs/design/state.md").split("\n## ")[0] ?? "");
  const tops = rows.map((path) => path.split("/")[0] ?? "");

  it("of the code are in the page", () => {
    const { root: _, ...places } = homeAt("/home");
    const names = Object.values(places).map((path) => basename(path));
    const direct = [...source.matchAll(/join\((?:\w+\.)?home\.root, (?:"([\w.-]+)"|`([\w.-]+)\$)/g)].map(
      ([, whole, begin]) => whole ?? begin ?? "",
    );
    const wanted = [...names, ...direct].filter((name) => name !== "" && !name.startsWith(".doctor"));
    expect(direct.length).toBeGreaterThan(3);
    expect(wanted.filter((name) => !tops.some((top) => top.startsWith(name)))).toEqual([]);
  });

  it("of the page are in the code", () => {
    const words = rows
      .flatMap((path) => path.split("/"))
      .map((part) => part.replace(/<[^>]+>/g, " ").replace(/0+1/, " "))
      // Names that code puts together.
      .flatMap((part) => part.split(/ +|(?<=json)\.|(?=-warned)/))
      .filter((part) => /\w{3}/.test(part) && !["-wal", "-shm", "copilot"].includes(part))
      .map((part) => part.replace(/^[.-]/, "").replace(/-$/, ""));
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => !source.includes(word))).toEqual([]);
  });
});

describe("tables of the indexes", () => {
  it("are all in the page, and no others", () => {
    const created = [...source.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name);
    const infrastructure = ["shape"];
    const named = new Set(
      firstColumn(page("docs/design/indexes.md")).filter((name) => /^[a-z_]+$/.test(name)),
    );
    expect([...named].sort()).toEqual(
      [...new Set(created)].filter((name) => !infrastructure.includes(name ?? "")).sort(),
    );
  });
});

describe("dependencies", () => {
  // What is bundled; the published package has none (`publishedManifest`). An installation from a clone gets only these.
  const versions = { ...manifest.dependencies, ...manifest.devDependencies };

  it("are the packages that the sources and the build import, so that it works without the others", () => {
    const files = globSync(["src/**/*.{ts,tsx}", "scripts/*.mjs"], { cwd: ROOT });
    const imported = files.flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), "utf8").matchAll(
          /(?:\bfrom |^import |\bimport\()"(?!node:)((?:@[\w-]+\/)?[\w.-]+)[^"]*"/gm,
        ),
      ].map(([, name = ""]) => name),
    );
    const packages = new Set(imported.filter((name) => versions[name] !== undefined));
    expect(Object.keys(manifest.dependencies).toSorted()).toEqual([...packages].toSorted());
  });

  it("of the page are those of package.json", () => {
    const text = page("docs/design/dependencies.md");
    const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
    const rows = cells.flatMap((cell) => cell.split(", ").map((name) => name.replace(/ [\d.]+$/, "")));
    const named = rows.filter((name) => !["bundled", "development only"].includes(name));
    expect(named.toSorted()).toEqual(Object.keys(versions).toSorted());
  });

  it("and the versions of the page are those of package.json", () => {
    const text = page("docs/design/dependencies.md");
    const wrong = [...text.matchAll(/^\| (@?[a-z][\w./@-]*) ([\d.]+) \|/gm)].filter(
      ([, name = "", version]) => !versions[name]?.replace("^", "").startsWith(`${version}.`),
    );
    expect(wrong.map(([row]) => row)).toEqual([]);
  });
});

describe("the package", () => {
  it("ships the pages of users, and leaves out pages that exist", () => {
    const left = manifest.files
      .filter((path: string) => path.startsWith("!docs/"))
      .map((path: string) => path.slice(1));
    expect(manifest.files).toContain("docs");
    expect(
      left.every((path: string) => /^docs\/(?:design|images)/.test(path) && existsSync(join(ROOT, path))),
    ).toBe(true);
  });
});

describe("the glossary", () => {
  it("has only terms that the code uses", () => {
    const terms = [...page("CONTEXT.md").matchAll(/\*\*([^*]+)\*\*/g)].map(([, term = ""]) => term);
    const unused = terms.filter((term) => {
      const words = term.toLowerCase().replace(/s$/, "").split(/[ -]/);
      const plain = new RegExp(`\\b${words.join("[\\s*-]+")}`, "i");
      const joined = new RegExp(words.join(""), "i");
      return !plain.test(source) && !(words.length > 1 && joined.test(source));
    });
    expect(terms.length).toBeGreaterThan(60);
    expect(unused).toEqual([]);
  });
});
