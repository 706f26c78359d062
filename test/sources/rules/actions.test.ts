import { expect, it } from "vitest";
import { registries } from "../../../src/entries/registries.ts";
import { answerInAgent } from "../../../src/moments/actions/in-agent.ts";
import { rules } from "../../../src/sources/rules/index.ts";
import { readTrust } from "../../../src/store/trust.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const run = (command: string) => `---\nchecks: { run: { command: '${command}' } }\n---\n\nR.\n`;

it("inside an agent, --yes trusts what was shown, and not what the agent made of it meanwhile", async () => {
  const { env, root, home } = temporaryWorld({ ".continuo/rules/x.md": run("npx eslint") });
  const groups = (await rules.actions?.()) ?? [];
  const session = { host: "pi", id: "s1" };
  const call = { session, cwd: root, home, env, now: Date.now(), history: registries.history };
  const ask = (typed: string) => answerInAgent(groups, typed, call, { sources: async () => [rules.source] });
  const evil = { ".continuo/rules/x.md": run("node evil.js") };
  expect(await ask("rules trust")).toContain("npx eslint");
  write(root, evil);
  for (let i = 0; i < 2; i++) expect(await ask("rules trust --yes")).toMatch(/changed since they were shown/);
  expect(readTrust(home).projects).toEqual([]);
  expect(await ask("rules trust")).toContain("node evil.js");
  expect(await ask("rules trust --yes")).toContain("You now trust");
  expect(readTrust(home).projects).toEqual([root]);
});
