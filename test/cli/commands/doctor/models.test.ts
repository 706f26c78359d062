import { expect, it } from "vitest";
import { checkModels } from "../../../../src/cli/commands/doctor/sessions.ts";
import { inputIn } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

async function checked(sessions: object | undefined, more: NodeJS.ProcessEnv = {}) {
  const { env, home, root } = temporaryWorld();
  if (sessions !== undefined) write(home.root, { "config.json": JSON.stringify({ sources: { sessions } }) });
  const world = inputIn({ env: { ...env, ...more }, root });
  const found: string[][] = [];
  for await (const { status, detail } of checkModels(world, home)) found.push([status, detail]);
  return found;
}

it("no configured model is fine", async () => {
  expect(await checked(undefined)).toEqual([["ok", "none configured (optional)"]]);
});

it("names the model in use, and the problems of those before it", async () => {
  const keys = { modelKeys: ["claude-haiku-4-5", "anthropic/claude-haiku-4-5"] };
  expect(await checked(keys, { ANTHROPIC_API_KEY: "k" })).toEqual([
    [
      "ok",
      "anthropic/claude-haiku-4-5 at https://api.anthropic.com/v1 summarises sessions and answers questions about them",
    ],
    ["warn", expect.stringContaining("write provider/id")],
  ]);
  expect(await checked(keys)).toEqual([
    ["warn", expect.stringContaining("write provider/id")],
    ["warn", expect.stringContaining("ANTHROPIC_API_KEY is not set")],
  ]);
});

it("takes a model that only an agent has for no fault, and a slip of a provider's name for one", async () => {
  expect(await checked({ modelKeys: ["openai-codex/gpt-5"] })).toEqual([
    ["ok", "openai-codex/gpt-5: used in an agent that has this model, such as pi"],
  ]);
  expect(await checked({ modelKeys: ["openai-codex/gpt-5", "antropic/x"] })).toEqual([
    ["warn", expect.stringContaining("openai-codex/gpt-5")],
    ["warn", expect.stringContaining("did you mean anthropic/x")],
  ]);
});

it("says which tasks the model has", async () => {
  const keys = { modelKeys: ["ollama/tiny"], modelRecords: false, modelAnswers: false };
  expect(await checked(keys)).toEqual([["ok", expect.stringMatching(/ summarises sessions on request$/)]]);
});

it("says where requests go when the environment redirects them", async () => {
  const there = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://proxy.example" };
  expect(await checked({ modelKeys: ["anthropic/claude-haiku-4-5"] }, there)).toEqual([
    ["ok", expect.stringContaining(" at https://proxy.example/v1 ")],
  ]);
});
