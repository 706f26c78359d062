import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/child.ts";

/** Top to bottom: a folder imports only folders below its own line. Hosts and sources share a line and never meet. */
const LAYERS = [
  ["entries"],
  ["web"],
  ["cli"],
  ["hosts", "sources"],
  ["moments"],
  ["compose", "search", "models"],
  ["markdown", "git"],
  ["store"],
  ["base"],
];

const layerOf = (folder: string) => LAYERS.findIndex((folders) => folders.includes(folder));
const files = globSync("**/*.{ts,tsx}", { cwd: join(ROOT, "src") }).map((path) => path.replaceAll("\\", "/"));

const IMPORT = /(?:^|\n)(?:import|export) (type )?[^;"]*?from "(\.[^"]+)"|import\(\s*"(\.[^"]+)"/g;
const imports = files.flatMap((file) =>
  [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(IMPORT)].map(([, type, path, lazy]) => ({
    file,
    to: join(dirname(file), path ?? lazy ?? "").replaceAll("\\", "/"),
    isValue: type === undefined && lazy === undefined,
  })),
);
const folderOf = (path: string) => path.split("/")[0] ?? "";

describe("imports", () => {
  it("point downwards: every folder has a layer and imports only layers below it", () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual(LAYERS.flat().sort());
    const upwards = imports.filter(
      ({ file, to }) => folderOf(file) !== folderOf(to) && layerOf(folderOf(to)) <= layerOf(folderOf(file)),
    );
    expect(upwards).toEqual([]);
  });

  it("lead from no source to another", () => {
    const source = (path: string) => /^sources\/([^/]+)\//.exec(path)?.[1];
    const crossing = imports.filter(
      ({ file, to }) => source(file) !== undefined && source(to) !== undefined && source(file) !== source(to),
    );
    expect(crossing).toEqual([]);
  });

  it("join hosts and sources only in entries", () => {
    const reached = (file: string) => new Set(imports.filter((one) => one.file === file).map(({ to }) => to));
    const joining = files.filter((file) => {
      const targets = [...reached(file)].filter((to) => to !== "hosts/names.ts").map(folderOf);
      return folderOf(file) !== "entries" && targets.includes("hosts") && targets.includes("sources");
    });
    expect(joining).toEqual([]);
  });

  it("of the page stay in the page, but for the types that it shares with the server", () => {
    const page = globSync("web/page/**/*.{ts,tsx}", { cwd: join(ROOT, "src") });
    const leaving = page.flatMap((file) =>
      [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(IMPORT)].flatMap(([, type, path, lazy]) => {
        const to = join(dirname(file), path ?? lazy ?? "").replaceAll("\\", "/");
        const isShared = to.startsWith("web/api/") && type !== undefined;
        return to.startsWith("web/page/") || isShared ? [] : [`${file} imports ${to}`];
      }),
    );
    expect(page.length).toBeGreaterThan(50);
    expect(leaving).toEqual([]);
  });

  it("form no cycle of values among files", () => {
    const targets = Map.groupBy(
      imports.filter(({ isValue }) => isValue),
      ({ file }) => file,
    );
    const done = new Set<string>();
    const cycle = (file: string, way: readonly string[]): readonly string[] | undefined => {
      if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
      if (done.has(file)) return undefined;
      for (const { to } of targets.get(file) ?? []) {
        const found = cycle(to, [...way, file]);
        if (found !== undefined) return found;
      }
      done.add(file);
      return undefined;
    };
    for (const file of files) expect(cycle(file, [])).toBeUndefined();
  });
});
