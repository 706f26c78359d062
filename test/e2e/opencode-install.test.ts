import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { packBuilt } from "../../scripts/pack.mjs";
import { countOccurrences, requestText } from "../fakes/openai-requests.ts";
import { main } from "../hosts/opencode/turns.ts";
import { CONTINUO, ROOT, runScript } from "../support/child.ts";
import {
  loadPlugins,
  OPENCODE,
  OPENCODE_PACKAGE,
  type OpenCode,
  startOpenCode,
} from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));
const PLUGIN = join(ROOT, "dist", "continuo-opencode.js");

async function bare(): Promise<OpenCode> {
  const host = await startOpenCode();
  onTestFinished(() => host.dispose());
  write(host.project, { ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences." });
  return host;
}

/** The package as published, from the tests' build. */
function tarball(host: OpenCode): string {
  return packBuilt(join(host.root, "tmp"));
}

async function expectOnce(host: OpenCode): Promise<void> {
  const [request] = main(await host.prompt(await host.createSession(), "hello"));
  expect(countOccurrences(request!, "MARK-ALWAYS"), requestText(request!).slice(-500)).toBe(1);
  const names = request!.body.tools!.map((tool) => tool.function.name);
  expect(names.filter((name) => name === "set_relevant_context")).toHaveLength(1);
}

describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} loads us`, () => {
  it("by the path of the built file", async () => {
    const host = await bare();
    await loadPlugins(host, [PLUGIN]);
    await expectOnce(host);
  });

  it("from the packed package, without a network", async () => {
    const host = await bare();
    await loadPlugins(host, [`continuo@file:${tarball(host)}`]);
    await expectOnce(host);
  });

  it("after `continuo install opencode`, and no more after `continuo uninstall opencode`", async () => {
    const host = await bare();
    const run = (command: string) =>
      runScript(CONTINUO, [command, "opencode"], { env: host.env, cwd: host.project });
    const installed = await run("install");
    expect(installed.code, installed.stderr).toBe(0);
    expect(readFileSync(host.settingsFile, "utf8")).toContain(PLUGIN);
    await expectOnce(host);
    await host.stop();
    expect((await run("uninstall")).code).toBe(0);
    const [request] = main(await host.prompt(await host.createSession(), "hello"));
    expect(countOccurrences(request!, "MARK-ALWAYS")).toBe(0);
  });

  it("twice, by path and by package, and delivers once", async () => {
    const host = await bare();
    await loadPlugins(host, [PLUGIN, `continuo@file:${tarball(host)}`]);
    await expectOnce(host);
  });
});
