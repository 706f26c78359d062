import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeInstaller } from "../../../../src/hosts/claude-code/installer.ts";
import { readReceipt } from "../../../../src/hosts/shared/install/receipt.ts";
import { rewireHooks } from "../../../../src/hosts/shared/install/rewire-hooks.ts";
import { claudeCode } from "../../../support/agents.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { commandWorld } from "../../../support/in-process.ts";
import { temporaryFolder } from "../../../support/world.ts";

/** Kills the process when it is about to replace or remove this file; its new text is written already. */
const KILL_AT = (name: string) => `
  const fs = require("node:fs");
  for (const act of ["renameSync", "rmSync"]) {
    const original = fs[act];
    fs[act] = (...args) => {
      if (String(args[act === "renameSync" ? 1 : 0]).endsWith(${JSON.stringify(name)})) process.kill(process.pid, "SIGKILL");
      return original(...args);
    };
  }
`;

/** `version`: Claude Code's; by it, hooks call the MCP server or start processes. */
function place(version = "2.1.325") {
  const world = commandWorld({ ".continuo/rules/a.md": "Rule A." }, { PATH: claudeCode(version).bin });
  const { user, env } = world;
  mkdirSync(join(user, ".claude"), { recursive: true });
  const doctor = async (...args: string[]) => {
    const data = await world.data("doctor", ...args);
    return { ...data, claude: data.findings.find((one: { what: string }) => one.what === "Claude Code") };
  };
  const killedAt = async (name: string, ...args: string[]) => {
    const preload = join(temporaryFolder(), "kill.cjs");
    writeFileSync(preload, KILL_AT(name));
    const options = { env, cwd: world.root, nodeArgs: ["--require", preload] };
    expect((await runScript(CONTINUO, args, options)).code).toBe(null);
  };
  const has = (name: string) =>
    existsSync(join(user, name)) && readFileSync(join(user, name), "utf8").includes("continuo");
  return { ...world, doctor, killedAt, has };
}

const FILES = [".claude/settings.json", ".claude.json"] as const;

describe.skipIf(process.platform === "win32")("a process that is killed between two settings files", () => {
  it.each([
    ["whose hooks call the MCP server", "2.1.325"],
    ["whose hooks start processes", "2.0.0"],
  ])("leaves a setup %s that doctor and install report, and --fix completes", async (_, version) => {
    const { run, doctor, killedAt, has } = place(version);
    await killedAt(".claude.json", "install", "claude-code", "--yes");
    expect(FILES.map(has)).toEqual([true, false]);
    const { claude, failed } = await doctor();
    expect({ claude, failed }).toMatchObject({
      claude: {
        status: "fail",
        detail: "its setup was interrupted: the MCP entry is missing",
        command: "continuo install claude-code",
        canFix: true,
      },
      failed: 1,
    });
    expect((await run("install")).stdout).toContain("interrupted");
    const { fixed, failed: left } = await doctor("--fix");
    expect(fixed).toContainEqual(
      expect.objectContaining({ what: "Claude Code", done: expect.stringContaining("finished") }),
    );
    expect(left).toBe(0);
    expect(FILES.map(has)).toEqual([true, true]);
    await run("uninstall", "claude-code", "--yes");
    expect(FILES.map(has)).toEqual([false, false]);
  });

  it("is reported with the options of the installation, also after a session has changed the hooks", async () => {
    const { doctor, killedAt, env, home, run } = place();
    await killedAt(".claude.json", "install", "claude-code", "--yes", "--statusline");
    const { hostVersion } = readReceipt(home, "claude-code") ?? {};
    const wiring = { runtime: "/node", script: "/continuo.cjs", answered: new Set<never>(), guards: false };
    const now = { ...wiring, hostVersion: hostVersion ?? "" };
    expect(await rewireHooks(claudeCodeInstaller, env, home, now, 0)).toBe(true);
    expect((await doctor()).claude).toMatchObject({
      status: "fail",
      command: "continuo install claude-code --statusline",
    });
    await run("install", "claude-code", "--yes");
    expect((await doctor()).claude.status).toBe("ok");
    expect(readReceipt(home, "claude-code")?.unfinished).toBeUndefined();
  });

  it("leaves a removal that doctor reports, and --fix completes it", async () => {
    const { run, doctor, killedAt, has } = place();
    await run("install", "claude-code", "--yes");
    await killedAt(".claude.json", "uninstall", "claude-code", "--yes");
    expect(FILES.map(has)).toEqual([false, true]);
    expect((await doctor()).claude).toMatchObject({
      status: "fail",
      detail: "its removal was interrupted, so some of Continuo's entries are still there",
      command: "continuo uninstall claude-code",
    });
    await doctor("--fix");
    expect(FILES.map(has)).toEqual([false, false]);
  });
});

describe.skipIf(process.platform === "win32")("the copy that a killed process leaves", () => {
  const copies = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".unfinished"));

  it("is reported by doctor, and the next installation or removal deletes it", async () => {
    const { run, doctor, killedAt, user } = place();
    await killedAt("/settings.json", "install", "claude-code", "--yes");
    const folder = join(user, ".claude");
    const [copy = ""] = copies(folder);
    expect(copies(folder)).toHaveLength(1);
    const { findings } = await doctor();
    expect(findings).toContainEqual(
      expect.objectContaining({
        status: "warn",
        detail: `a killed process of Continuo left 1 unfinished copy of ~/.claude/settings.json: ${join(folder, copy)}`,
        canFix: true,
      }),
    );
    await run("uninstall", "claude-code", "--diff");
    expect(copies(folder)).toHaveLength(1);
    await run("uninstall", "claude-code", "--yes");
    expect(copies(folder)).toEqual([]);
    await killedAt("/settings.json", "install", "claude-code", "--yes");
    await run("install", "claude-code", "--yes");
    expect(copies(folder)).toEqual([]);
  });

  it("is told from files of others: of a process that runs, with another name, a link", async () => {
    const { run, user } = place();
    const folder = join(user, ".claude");
    const ended = 2 ** 22 + 1; // Linux has no such process
    const kept = [
      `.settings.json.${process.pid}-abcdefgh12345.unfinished`,
      `.settings.json.${ended}-mine.unfinished`,
      `.other.json.${ended}-abcdefgh12345.unfinished`,
      "settings.json.unfinished",
    ];
    for (const name of kept) writeFileSync(join(folder, name), "{}");
    symlinkSync(kept[3] ?? "", join(folder, `.settings.json.${ended}-abcdefgh67890.unfinished`));
    writeFileSync(join(folder, `.settings.json.${ended}-abcdefgh12345.unfinished`), "{}");
    await run("install", "claude-code", "--yes");
    expect(copies(folder)).toEqual([...kept, `.settings.json.${ended}-abcdefgh67890.unfinished`].sort());
  });
});

describe.skipIf(process.platform === "win32")("doctor", () => {
  it("reports an MCP entry without hooks, and --fix adds them", async () => {
    const { run, doctor, user, has } = place();
    await run("install", "claude-code", "--yes");
    writeFileSync(join(user, ".claude/settings.json"), "{}\n");
    expect((await doctor()).claude).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("MCP entry but no hooks"),
      command: "continuo install claude-code",
    });
    expect((await doctor("--fix")).failed).toBe(0);
    expect(FILES.map(has)).toEqual([true, true]);
  });

  it("takes hooks without an MCP entry for what --no-mcp makes", async () => {
    const { run, doctor } = place("2.0.0");
    await run("install", "claude-code", "--yes");
    await run("install", "claude-code", "--yes", "--no-mcp");
    expect((await doctor()).claude.status).toBe("ok");
  });
});

describe.skipIf(process.platform === "win32")("uninstall, if what Continuo kept is not as it was", () => {
  it("ends a setup that was killed before its first edit, so that doctor --fix does not complete it", async () => {
    const { run, doctor, killedAt, has } = place();
    await killedAt(FILES[0], "install", "claude-code", "--yes");
    expect((await run("uninstall", "claude-code", "--yes")).code).toBe(0);
    await doctor("--fix");
    expect(FILES.map(has)).toEqual([false, false]);
  });

  it.each([
    ["was emptied", () => ""],
    ["is no longer whole", (text: string) => text.slice(0, 12)],
    ["is another file", () => '{ "model": "other" }\n'],
  ])("removes its entries one by one if the backup %s", async (_, damage) => {
    const { run, user, home } = place();
    const settings = join(user, FILES[0]);
    const own = '{ "model": "opus", "hooks": {} }\n';
    writeFileSync(settings, own);
    await run("install", "claude-code", "--yes");
    const folder = join(home.backups, "claude-code");
    const backup = readdirSync(folder).find((name) => name.endsWith("settings.json")) ?? "";
    writeFileSync(join(folder, backup), damage(own));
    expect((await run("uninstall", "claude-code", "--yes")).code).toBe(0);
    const left = readFileSync(settings, "utf8");
    expect(JSON.parse(left)).toMatchObject({ model: "opus" });
    expect(left).not.toContain("continuo");
  });

  it("does not restore a file from elsewhere that a receipt names", async () => {
    const { run, user, home } = place();
    const settings = join(user, FILES[0]);
    writeFileSync(settings, '{ "model": "opus" }\n');
    await run("install", "claude-code", "--yes");
    const foreign = join(temporaryFolder(), "settings.json");
    writeFileSync(foreign, '{ "model": "foreign" }\n');
    const path = join(home.backups, "claude-code", "receipt.json");
    const receipt = JSON.parse(readFileSync(path, "utf8"));
    for (const kept of receipt.files) {
      kept.backup = foreign;
      delete kept.sha256Before;
    }
    writeFileSync(path, JSON.stringify(receipt));
    await run("uninstall", "claude-code", "--yes");
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({ model: "opus" });
  });

  it("removes its entries also where it cannot write into its own folder", async () => {
    const { run, home, has } = place();
    await run("install", "claude-code", "--yes");
    const folder = join(home.backups, "claude-code");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file where the folder should be");
    expect(await run("uninstall", "claude-code", "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(FILES.map(has)).toEqual([false, false]);
  });
});
