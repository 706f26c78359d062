import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, runScript } from "../support/child.ts";
import { temporaryFolder, temporaryWorld } from "../support/world.ts";

const LAUNCHER = "continuo.cjs";

describe("a package that is replaced while it is used", () => {
  it("has a name of its own for each file of a build, so that no file of another version is taken for it", () => {
    const files = readdirSync(join(ROOT, "dist")).filter((name) => name.endsWith(".cjs"));
    const others = files.filter((name) => name !== LAUNCHER);
    expect(others.length).toBeGreaterThan(10);
    const [id = ""] = /\w{8}(?=\.cjs$)/.exec(others[0] ?? "") ?? [];
    expect(others.filter((name) => !name.endsWith(`-${id}.cjs`))).toEqual([]);
  });

  it("never makes a hook fail, whichever file is missing", async () => {
    const folder = temporaryFolder();
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    const stdin = JSON.stringify({ session_id: "s1", cwd: world.root, source: "startup" });
    const start = () =>
      runScript(join(folder, "dist/continuo.cjs"), ["hook", "claude-code", "SessionStart"], {
        env: world.env,
        cwd: world.root,
        stdin,
      });
    for (const missing of ["hook", "core", "keep"]) {
      cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
      const [name = ""] = readdirSync(join(folder, "dist")).filter((one) =>
        new RegExp(`^${missing}(-\\w{8})?\\.cjs$`).test(one),
      );
      rmSync(join(folder, "dist", name));
      const { code, stdout } = await start();
      // Without `keep` only the compiled code is not kept.
      expect([missing, code, stdout === ""]).toEqual([missing, 0, missing !== "keep"]);
    }
  });
});
