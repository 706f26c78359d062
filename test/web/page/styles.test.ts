import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../support/child.ts";

const PAGE = join(ROOT, "src", "web", "page");
const SHARED = ["style", "parts"];

interface Selector {
  readonly area: string;
  readonly text: string;
  readonly classes: readonly string[];
}

function selectors(): Selector[] {
  return globSync("**/*.css", { cwd: PAGE }).flatMap((file) => {
    const css = readFileSync(join(PAGE, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const lists = [...css.matchAll(/([^{};]+)\{/g)].map(([, list = ""]) => list.trim());
    return lists
      .filter((list) => !list.startsWith("@"))
      .flatMap((list) => list.split(/,(?![^(]*\))/))
      .map((text) => ({
        area: file.split(/[\\/]/)[0] ?? "",
        text: text.trim(),
        classes: [...text.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name),
      }));
  });
}

const isShared = (area: string) => SHARED.includes(area);

it("no class is styled in two areas", () => {
  const all = selectors();
  expect(all.length).toBeGreaterThan(300);
  const shared = new Set(all.filter(({ area }) => isShared(area)).flatMap(({ classes }) => classes));
  const owners = new Map<string, Set<string>>();
  for (const { area, classes } of all) {
    if (isShared(area)) continue;
    for (const name of classes)
      if (!shared.has(name)) owners.set(name, (owners.get(name) ?? new Set()).add(area));
  }
  const collisions = [...owners]
    .filter(([, areas]) => areas.size > 1)
    .map(([name, areas]) => [name, ...areas]);
  expect(collisions).toEqual([]);
});

it("an area changes a shared class only inside elements of its own", () => {
  const all = selectors();
  const shared = new Set(all.filter(({ area }) => isShared(area)).flatMap(({ classes }) => classes));
  const loose = all.filter(
    ({ area, classes }) => !isShared(area) && classes.length > 0 && classes.every((name) => shared.has(name)),
  );
  expect(loose.map(({ area, text }) => `${area}: ${text}`)).toEqual([]);
});
