import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  howToUpdate,
  installationOf,
  permanentCommand,
  programOf,
} from "../../../../src/cli/commands/install/installation.ts";
import { changesSince, headline, readChangelog } from "../../../../src/cli/commands/update/update.ts";
import { writeSeen } from "../../../../src/store/seen.ts";
import { ROOT } from "../../../support/child.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

const LOG = `# Changelog

## [Unreleased]

## [0.3.0] - 2026-11-01

### Added

- **Three** ([docs](a.md)). More about it
  on a second line.

## [0.2.0] - 2026-10-01

### Fixed

- Two.

## [0.1.0]

- One.
`;

describe("the list of changes", () => {
  const versions = (since?: string) => changesSince(readChangelog(LOG), since).map(({ version }) => version);

  it("has what came after the version that was seen; without one, the newest", () => {
    expect(versions("0.1.0")).toEqual(["0.3.0", "0.2.0"]);
    expect(versions("0.3.0")).toEqual([]);
    expect(versions()).toEqual(["0.3.0"]);
    expect(versions("9.9.9")).toEqual(["0.3.0"]);
  });

  it("is shown by the first sentence of each entry", () => {
    const [, release] = readChangelog(LOG);
    expect(release).toMatchObject({ version: "0.3.0", date: "2026-11-01", entries: [{ kind: "Added" }] });
    expect(headline(release?.entries[0]?.text ?? "")).toBe("Three.");
  });
});

describe("the kind of installation", () => {
  it("is known by the folder of the package", () => {
    const folder = temporaryFolder();
    write(folder, {
      "lib/node_modules/continuo/package.json": "{}",
      "project/package.json": "{}",
      "project/node_modules/continuo/package.json": "{}",
      "cache/_npx/ab/package.json": '{"dependencies":{"continuo":"file:../../../my files/c.tgz"}}',
      "cache/_npx/ab/node_modules/continuo/package.json": "{}",
    });
    expect(installationOf(ROOT)).toEqual({ kind: "clone", folder: ROOT });
    expect(installationOf(join(folder, "lib/node_modules/continuo"))).toEqual({ kind: "global" });
    expect(installationOf(join(folder, "project/node_modules/continuo"))).toMatchObject({ kind: "local" });
    const npx = installationOf(join(folder, "cache/_npx/ab/node_modules/continuo"));
    expect(npx).toEqual({ kind: "npx", source: join(folder, "my files/c.tgz") });
    expect(programOf(npx)).toBe(`npx --package='${folder}/my files/c.tgz' continuo`);
    expect(permanentCommand("continuo")).toBe("npm install -g continuo");
    // The package may not be published: a copy from a clone is never sent to the registry.
    expect(howToUpdate({ kind: "global" }).command).not.toContain("@latest");
  });
});

describe("continuo update", () => {
  it("says the version, changes, agents and the command, without the network", async () => {
    const { env, root } = temporaryWorld();
    const { stdout, code } = await runInProcess(["update"], {
      env: { ...env, PATH: "/usr/bin:/bin" },
      cwd: root,
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`cd ${ROOT} && git pull`);
    expect(stdout).toContain("No agent is connected yet");
    const json = await runInProcess(["update", "--json"], { env, cwd: root });
    expect(JSON.parse(json.stdout).data).toMatchObject({ installation: { kind: "clone" }, agents: [] });
  });

  it("says in the first line what is new and whether agents need something, and lists little", async () => {
    const { env, root, home } = temporaryWorld();
    const alone = { ...env, PATH: "/usr/bin:/bin" };
    const run = async (...args: string[]) =>
      (await runInProcess(["update", ...args], { env: alone, cwd: root })).stdout;
    await run();
    expect(await run()).toMatch(
      /^Continuo \S+: nothing new since you last looked\. No agent is connected yet/,
    );
    await runInProcess(["install", "gemini"], { env: alone, cwd: root });
    writeSeen(home, { version: "0.0.1" });
    const [first = "", ...rest] = (await run()).split("\n");
    expect(first).toMatch(
      /^Continuo \S+: \d+ changes? since 0\.0\.1\. Your connected agents need nothing\.$/,
    );
    expect(rest.filter((line) => line.startsWith("  - ")).length).toBeLessThanOrEqual(5);
    const all = (await run("-a")).split("\n").filter((line) => line.startsWith("  - "));
    expect(all.length).toBeGreaterThan(5);
    const settings = join(env["HOME"] ?? "", ".gemini/settings.json");
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(process.execPath, "/gone/node"));
    expect(await run()).toMatch(
      /1 agent needs attention:\n {2}Gemini CLI: .*\n {4}To fix: continuo install gemini/,
    );
  });
});
