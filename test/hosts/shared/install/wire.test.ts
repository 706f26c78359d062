import { lstatSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codexInstaller } from "../../../../src/hosts/codex/installer.ts";
import { geminiInstaller } from "../../../../src/hosts/gemini/installer.ts";
import { mcpClients } from "../../../../src/hosts/mcp/clients.ts";
import { opencodeInstaller } from "../../../../src/hosts/opencode/installer.ts";
import type { Wiring } from "../../../../src/hosts/port/installer.ts";
import {
  applyInstall,
  isChange,
  planInstall,
  planUninstall,
} from "../../../../src/hosts/shared/install/wire.ts";
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

describe("a settings file that is a link", () => {
  const installed = (root: string, env: NodeJS.ProcessEnv) =>
    planInstall(codexInstaller, { ...env, CODEX_HOME: root }, wiring);

  it("is followed", () => {
    const { root, home, env } = temporaryWorld({ "dotfiles/hooks.json": "{}" });
    symlinkSync(join(root, "dotfiles/hooks.json"), join(root, "hooks.json"));
    applyInstall(installed(root, env), codexInstaller, home, wiring, 0);
    expect(lstatSync(join(root, "hooks.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "dotfiles/hooks.json"), "utf8")).toContain("continuo.cjs");
  });

  it("is refused if it leads nowhere, and stays", () => {
    const { root, env, home } = temporaryWorld({});
    symlinkSync("gone/hooks.json", join(root, "hooks.json"));
    expect(() => installed(root, env)).toThrow(
      `${join(root, "hooks.json")} is a link to gone/hooks.json, which does not exist`,
    );
    expect(lstatSync(join(root, "hooks.json")).isSymbolicLink()).toBe(true);
    // There is nothing to remove in it.
    expect(planUninstall(codexInstaller, { ...env, CODEX_HOME: root }, home).some(isChange)).toBe(false);
  });
});

it("without a receipt, comments in lists and objects that become empty stay", () => {
  const wired = [opencodeInstaller.add('{\n  "plugin": [\n    // mine\n  ]\n}\n', wiring)];
  const zed = mcpClients("linux").find(({ host }) => host === "zed")!;
  wired.push(zed.add('{\n  "context_servers": {\n    /* mine */\n  }\n}\n', wiring));
  wired.push(geminiInstaller.add('{\n  "hooks": {\n    // mine\n  }\n}\n', wiring));
  const removed = [opencodeInstaller, zed, geminiInstaller].map((one, at) => one.remove(wired[at] ?? ""));
  for (const [at, text] of removed.entries()) {
    expect(wired[at]).toContain("continuo");
    expect(text).toContain("mine");
    expect(text).not.toContain("continuo");
  }
});

describe("empty containers of the user's", () => {
  const original = '{\n  "hooks": {},\n  "mcpServers": null\n}\n';

  it.each([
    ["with a receipt, in a file that was changed since", false],
    ["without a receipt, by the backup", true],
  ])("are there again after a removal %s", (_, isLost) => {
    const { env, home } = temporaryWorld();
    const user = env["HOME"] ?? "";
    write(user, { ".gemini/settings.json": original });
    const file = join(user, ".gemini/settings.json");
    applyInstall(planInstall(geminiInstaller, env, wiring), geminiInstaller, home, wiring, 0);
    const wired = readFileSync(file, "utf8");
    expect(wired).toContain("continuo.cjs");
    write(user, { ".gemini/settings.json": `${wired}\n` });
    if (isLost) rmSync(join(home.backups, "gemini", "receipt.json"));
    const [change] = planUninstall(geminiInstaller, env, home);
    expect(JSON.parse(change?.after ?? "")).toEqual(JSON.parse(original));
  });
});
