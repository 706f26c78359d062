import { expect, it } from "vitest";
import { checkModels } from "../../../../src/cli/commands/doctor/sessions.ts";
import { registries } from "../../../../src/entries/registries.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

async function checked(sessions: object | undefined, more: NodeJS.ProcessEnv = {}) {
  const { env, home, root } = temporaryWorld();
  if (sessions !== undefined) write(home.root, { "config.json": JSON.stringify({ sources: { sessions } }) });
  const world = {
    env: { ...env, ...more },
    cwd: root,
    now: Date.now,
    packageRoot: "",
    stdin: -1,
    ...registries,
  };
  return (await checkModels(world, home)).map(({ status, detail }) => [status, detail]);
}

it("without models all is well, and none is asked", async () => {
  expect(await checked(undefined)).toEqual([["ok", "none is named, and none is asked"]]);
});

it("names the model that is asked, and what is wrong with those before it", async () => {
  const keys = { modelKeys: ["claude-haiku-4-5", "anthropic/claude-haiku-4-5"] };
  expect(await checked(keys, { ANTHROPIC_API_KEY: "k" })).toEqual([
    [
      "ok",
      "anthropic/claude-haiku-4-5 at https://api.anthropic.com/v1 describes sessions and answers about them",
    ],
    ["warn", expect.stringContaining("write provider/id")],
  ]);
  expect(await checked(keys)).toEqual([
    ["warn", expect.stringContaining("write provider/id")],
    ["warn", expect.stringContaining("ANTHROPIC_API_KEY is not set")],
  ]);
});

it("tells what the model is asked for, and no more than that", async () => {
  const keys = { modelKeys: ["ollama/tiny"], modelRecords: false, modelAnswers: false };
  expect(await checked(keys)).toEqual([
    ["ok", expect.stringMatching(/ describes sessions when it is told to$/)],
  ]);
});

it("tells where the words go when the environment sends them elsewhere", async () => {
  const there = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://proxy.example" };
  expect(await checked({ modelKeys: ["anthropic/claude-haiku-4-5"] }, there)).toEqual([
    ["ok", expect.stringContaining(" at https://proxy.example/v1 ")],
  ]);
});
