import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, runScript } from "../support/child.ts";
import { temporaryFolder } from "../support/world.ts";

const script = (name: string, cwd: string, ...args: string[]) =>
  runScript(join(ROOT, "scripts", name), args, { env: { PATH: process.env["PATH"] }, cwd });

it("packing takes a folder, explains itself, and makes nothing of an option that it does not know", async () => {
  const cwd = temporaryFolder();
  expect(await script("pack.mjs", cwd, "--help")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("npm run pack [-- FOLDER]"),
  });
  expect((await script("pack.mjs", cwd, "--pack-destination")).code).toBe(2);
  expect((await script("pack.mjs", cwd, "one", "two")).code).toBe(2);
  expect(readdirSync(cwd)).toEqual([]);
});

it("plain `npm pack`, which would make another package, is refused", async () => {
  const { code, stderr } = await script("prepack.mjs", ROOT);
  expect(code).toBe(1);
  expect(stderr).toContain("npm run pack -- FOLDER");
});
