import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundledPackages, licencesOf } from "../../scripts/licences.mjs";
import { ROOT } from "../support/child.ts";
import { temporaryFolder, write } from "../support/world.ts";

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");

describe("the licences of what is bundled", () => {
  it("are in the package and in the plugin, with the whole text of each dependency", () => {
    const text = read("dist", "THIRD-PARTY-LICENSES.txt");
    expect(read("dist", "claude-code-plugin", "dist", "THIRD-PARTY-LICENSES.txt")).toBe(text);
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const names = Object.keys(dependencies).filter((name) => name !== "esbuild"); // it bundles the others
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const { version } = JSON.parse(read("node_modules", name, "package.json"));
      expect(text).toContain(`\n${name} ${version} (`);
      const files = readdirSync(join(ROOT, "node_modules", name)).filter((file) => /^licen[cs]e/i.test(file));
      for (const file of files) expect(text).toContain(read("node_modules", name, file).trim());
    }
  });

  it("are those of the innermost packages that something is bundled from", () => {
    const inputs = Object.fromEntries(
      [
        ["src/a.ts", 10],
        ["node_modules/@a/b/dist/x.mjs", 1],
        ["node_modules/@a/b/node_modules/c/y.js", 1],
        ["node_modules/left-out/z.js", 0],
      ].map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
    ) as Record<string, { bytesInOutput: number }>;
    expect(bundledPackages([{ outputs: { "dist/a.js": { inputs } } }])).toEqual([
      "node_modules/@a/b",
      "node_modules/@a/b/node_modules/c",
    ]);
  });

  it("end the build if a package has none", () => {
    const root = temporaryFolder();
    write(root, { "node_modules/x/package.json": '{ "name": "x", "version": "1.0.0", "license": "MIT" }' });
    expect(() => licencesOf(root, ["node_modules/x"])).toThrow(
      "x 1.0.0 (MIT) is bundled and has no licence text",
    );
    write(root, { "node_modules/x/LICENSE.md": "Do what you want." });
    expect(licencesOf(root, ["node_modules/x"])).toContain("x 1.0.0 (MIT)\n\nDo what you want.");
  });
});
