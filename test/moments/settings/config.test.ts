import { expect, it } from "vitest";
import type { Command } from "../../../src/cli/command.ts";
import { loadCommand } from "../../../src/cli/commands/index.ts";
import { inputIn } from "../../support/in-process.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const configCommand = (await loadCommand("config")) as Command;

async function run(positionals: string[], config: object = {}, more: NodeJS.ProcessEnv = {}) {
  const { home, env, root } = temporaryWorld();
  write(home.root, { "config.json": JSON.stringify(config) });
  return configCommand.run({ ...inputIn({ env: { ...env, ...more }, root }), values: {}, positionals });
}

it("lists every key of the core, the sources and the hosts with value and origin", async () => {
  const given = { snapshotAim: 700, sources: { seed: { learnings: 7 } } };
  const { data, text } = await run([], given, { TOKEN_LIMIT: "900" });
  expect(data).toMatchObject({
    settings: expect.arrayContaining([
      expect.objectContaining({ key: "snapshotAim", value: 700, default: 450, origin: "file" }),
      expect.objectContaining({ key: "tokenLimit", value: 900, origin: "environment", env: "TOKEN_LIMIT" }),
      // It follows a tokenLimit that was lowered.
      expect.objectContaining({ key: "rulesLimit", value: 900, origin: "default" }),
      expect.objectContaining({ key: "sources.seed.learnings", value: 7, origin: "file" }),
      expect.objectContaining({ key: "sources.sessions.enabled", value: true, origin: "default" }),
      expect.objectContaining({ key: "hosts.opencode.injection", value: "system", origin: "default" }),
    ]),
  });
  expect(text).toMatch(/snapshotAim +700 +file/);
});

it("shows one key, and names the nearest where there is none", async () => {
  const { text } = await run(["sources.seed.mode"]);
  expect(text).toContain('sources.seed.mode = "auto"');
  expect(text).toContain("accepts  one of auto, full, complement");
  await expect(run(["snapshotAin"])).rejects.toThrow(/there is no setting/);
});

it("counts a value that is not accepted as not given", async () => {
  const { data } = await run(["additionLimit"], { additionLimit: "many" });
  expect(data).toMatchObject({ settings: [{ value: 1200, origin: "default" }] });
});
