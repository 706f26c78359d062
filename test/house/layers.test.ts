import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { BACK_DOORS, JOINING } from "./exceptions.ts";
import { files, imports, knots, topFolder } from "./imports.ts";

/** Top to bottom: a folder imports only folders below its own line. Hosts and sources share a line and never meet. */
const LAYERS = [
  ["entries"],
  ["web"],
  ["cli"],
  ["setup"],
  ["hosts", "sources"],
  ["moments"],
  ["compose", "search", "models"],
  ["markdown", "git"],
  ["store"],
  ["base"],
];

const layerOf = (folder: string) => LAYERS.findIndex((folders) => folders.includes(folder));

/** What is imported of a source from outside. `actions` is what one can do with it. */
const FRONT_DOOR = /^(index|actions(\/[\w-]+)?)\.ts$/;

describe("imports", () => {
  it("point downwards: every folder has a layer and imports only layers below it", () => {
    expect([...new Set(files.map(topFolder))].sort()).toEqual(LAYERS.flat().sort());
    const upwards = imports.filter(
      ({ file, to }) =>
        topFolder(file) !== topFolder(to) && layerOf(topFolder(to)) <= layerOf(topFolder(file)),
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

  it("lead to a source through its front door, but for what is listed", () => {
    for (const [name, listed] of Object.entries(BACK_DOORS)) {
      const inside = `sources/${name}/`;
      const reached = imports
        .filter(({ file, to }) => to.startsWith(inside) && !file.startsWith(inside))
        .map(({ to }) => to.slice(inside.length))
        .filter((file) => !FRONT_DOOR.test(file));
      expect([...new Set(reached)].sort(), name).toEqual([...listed].sort());
    }
  });

  it("join hosts and sources only in entries and the listed folders", () => {
    const joined = Map.groupBy(
      imports.filter(({ file, to }) => topFolder(file) !== topFolder(to) && to !== "hosts/names.ts"),
      ({ file }) => dirname(file),
    );
    const joining = [...joined].flatMap(([folder, all]) => {
      const reached = all.map(({ to }) => topFolder(to));
      return topFolder(folder) !== "entries" && reached.includes("hosts") && reached.includes("sources")
        ? [folder]
        : [];
    });
    expect(joining.sort()).toEqual(JOINING);
  });

  it("of the page's server leave the command line alone", () => {
    expect(imports.filter(({ file, to }) => topFolder(file) === "web" && topFolder(to) === "cli")).toEqual(
      [],
    );
  });

  it("of the page stay in the page, but for the types that it shares with the server", () => {
    const page = imports.filter(({ file }) => file.startsWith("web/page/"));
    const leaving = page.filter(
      ({ to, isType }) => !to.startsWith("web/page/") && !(to.startsWith("web/api/") && isType),
    );
    expect(page.filter(({ file }) => file.endsWith(".tsx")).length).toBeGreaterThan(50);
    expect(leaving).toEqual([]);
  });

  it("form no circle among folders beside each other", () => {
    expect(knots(imports)).toEqual([]);
    const pair = [
      { file: "a/x/one.tsx", to: "a/y/z/two.ts" },
      { file: "a/y/two.ts", to: "a/x/one.tsx" },
    ];
    expect(knots(pair)).toEqual(["a: x, y"]);
    expect(knots(pair.slice(1))).toEqual([]);
  });

  it("form no cycle of values among files", () => {
    const targets = Map.groupBy(
      imports.filter(({ isType, isLazy }) => !isType && !isLazy),
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
