import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { codexInstaller } from "../../../../src/hosts/codex/installer.ts";
import type { Wiring } from "../../../../src/hosts/port/installer.ts";
import { applyInstall, planInstall } from "../../../../src/hosts/shared/install/wire.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const wiring: Wiring = { runtime: "/node", script: "/continuo.cjs", answered: new Set(), guards: false };

it("a file that its host writes while we install is left to it, and the one written before it gets its text back", () => {
  const { root, home, env } = temporaryWorld({ "hooks.json": "{}", "config.toml": "a = 1\n" });
  const changes = planInstall(codexInstaller, { ...env, CODEX_HOME: root }, wiring);
  expect(changes.map(({ file }) => file)).toEqual([join(root, "hooks.json"), join(root, "config.toml")]);
  write(root, { "config.toml": "a = 2\n" });
  expect(() => applyInstall(changes, codexInstaller, home, wiring, 0)).toThrow(
    expect.objectContaining({ code: "settings-changed" }),
  );
  expect(readFileSync(join(root, "hooks.json"), "utf8")).toBe("{}");
  expect(readFileSync(join(root, "config.toml"), "utf8")).toBe("a = 2\n");
});
