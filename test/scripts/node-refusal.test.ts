import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeRefusal, noteForSample, usersNode } from "../../scripts/node-refusal.mjs";
import { isTooOld, OLDEST_NODE } from "../../src/base/version.ts";
import { ROOT, runScript } from "../support/child.ts";
import { temporaryFolder } from "../support/world.ts";

describe("an installation on an old Node", () => {
  it("is refused with the version that is needed", () => {
    expect(nodeRefusal("20.20.2", ">=22.19")).toContain(
      "needs Node 22.19 or newer, and this is Node 20.20.2",
    );
    expect(nodeRefusal("22.18.0", ">=22.19")).toBeDefined();
  });

  it("is not refused from the oldest version on that works", () => {
    for (const version of ["22.19.0", "22.20.1", "24.0.0", "26.1.0"])
      expect(nodeRefusal(version, ">=22.19")).toBeUndefined();
  });

  it.skipIf(process.platform === "win32")(
    "is refused by the Node that will run it, not by one of a clone's packages",
    async () => {
      const folder = temporaryFolder();
      const [bin, packages] = [join(folder, "bin"), join(folder, "clone", "node_modules", ".bin")];
      for (const one of [bin, packages]) mkdirSync(one, { recursive: true });
      symlinkSync(process.execPath, join(packages, "node"));
      writeFileSync(
        join(bin, "node"),
        `#!/bin/sh\necho '${JSON.stringify({ version: "20.20.2", path: "/old/node" })}'\n`,
      );
      chmodSync(join(bin, "node"), 0o755);
      const env = { PATH: [packages, bin, "/usr/bin", "/bin"].join(delimiter) };
      expect(usersNode(env)).toEqual({ version: "20.20.2", path: "/old/node" });
      const { code, stderr } = await runScript(join(ROOT, "scripts", "install-global.mjs"), [], { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(/needs Node 22\.19 or newer, and this is Node 20\.20\.2.*\/old\/node/);
      expect(stderr).not.toContain("builds");
      const note = noteForSample({ ...env, npm_lifecycle_event: "prestart" }, ">=22.19");
      expect(note).toMatch(
        /To install Continuo you need Node 22\.19 or newer.*Yours is Node 20\.20\.2 \(\/old\/node\)/,
      );
      expect(noteForSample({ ...env, npm_lifecycle_event: "pretest" }, ">=22.19")).toBeUndefined();
    },
  );
});

it("the oldest Node is the same in package.json", () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  for (const version of ["20.20.2", "22.18.0", "22.19.0", "24.0.0"])
    expect(isTooOld(version)).toBe(nodeRefusal(version, engines.node) !== undefined);
});
