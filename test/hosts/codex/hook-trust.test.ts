import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runInProcess } from "../../support/in-process.ts";
import { temporaryWorld, write } from "../../support/world.ts";

it("install codex says that hooks need trust until Codex has it for each", async () => {
  const { env, root } = temporaryWorld();
  const folder = join(env["HOME"] ?? "", ".codex");
  const install = async () =>
    (await runInProcess(["install", "codex"], { env, cwd: root })).stdout.replace(/\s+/g, " ");
  expect(await install()).toContain("Codex does not run these hooks yet: start codex, type /hooks");
  const doctor = async () => (await runInProcess(["doctor"], { env, cwd: root })).stdout.replace(/\s+/g, " ");
  expect(await doctor()).toMatch(
    /! Codex: Codex does not run these hooks yet.* Fix: start codex, type \/hooks/,
  );
  expect(await install()).toMatch(/already set up.*Codex does not run these hooks yet/);
  const { hooks } = JSON.parse(readFileSync(join(folder, "hooks.json"), "utf8"));
  const trusted = Object.keys(hooks).map(
    (event) => `[hooks.state."${folder}/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:00"\n`,
  );
  const config = readFileSync(join(folder, "config.toml"), "utf8");
  write(folder, { "config.toml": `${config}\n${trusted.join("\n")}` });
  expect(await install()).not.toContain("/hooks, and trust");
  expect(await doctor()).toContain("No problems found");
});

it("doctor --fix sets up Codex again although its hooks also wait for trust", async () => {
  const { env, root } = temporaryWorld();
  const run = (...args: string[]) => runInProcess(args, { env, cwd: root });
  await run("install", "codex");
  const file = join(env["HOME"] ?? "", ".codex", "hooks.json");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(process.execPath, "/gone/node"));
  expect((await run("doctor", "--fix")).stdout).toContain("Codex: set up again");
  expect(readFileSync(file, "utf8")).not.toContain("/gone/node");
});
