import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { entryFor, importPiAi } from "../../../src/hosts/pi/models.ts";
import { temporaryFolder, write } from "../../support/world.ts";

/** pi as npm installs it: its program, started through a link, and its package of models beside it. */
function installed(name: string, exports: object): { program: string; folder: string } {
  const root = temporaryFolder();
  const folder = join(root, "lib/node_modules", name);
  write(root, {
    "lib/node_modules/pi/dist/cli.js": "",
    [`lib/node_modules/${name}/package.json`]: JSON.stringify({ name, type: "module", exports }),
    [`lib/node_modules/${name}/dist/index.js`]: "export const from = 'index';",
    [`lib/node_modules/${name}/dist/compat.js`]: "export const from = 'compat';",
  });
  mkdirSync(join(root, "bin"));
  symlinkSync(join(root, "lib/node_modules/pi/dist/cli.js"), join(root, "bin/pi"));
  return { program: join(root, "bin/pi"), folder };
}

it("pi's package of models is found from pi's program, in its old and its new scope", async () => {
  const old = installed("@mariozechner/pi-ai", { ".": { import: "./dist/index.js" } });
  expect(entryFor(old.program)).toBe(join(old.folder, "dist/index.js"));
  expect(await importPiAi(old.program)).toMatchObject({ from: "index" });
  const both = { ".": { import: "./dist/index.js" }, "./compat": { import: "./dist/compat.js" } };
  const newer = installed("@earendil-works/pi-ai", both);
  expect(await importPiAi(newer.program)).toMatchObject({ from: "compat" });
});

it("without it, the name that pi gives it is left to pi", async () => {
  const odd = installed("@mariozechner/pi-ai", { ".": { import: "../../outside.js" } });
  expect(entryFor(odd.program)).toBeUndefined();
  expect(entryFor("/nowhere/pi")).toBeUndefined();
  await expect(importPiAi("/nowhere/pi")).rejects.toThrow(/@mariozechner\/pi-ai/);
});
