import { expect, it } from "vitest";
import { answerInAgent } from "../../../src/moments/actions/in-agent.ts";
import { rules } from "../../../src/sources/rules/index.ts";
import { readTrust } from "../../../src/store/trust.ts";
import { callIn } from "../../support/engine.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const run = (command: string) => `---\nchecks: { run: { command: '${command}' } }\n---\n\nR.\n`;

it("inside an agent, --yes trusts what was shown, and not what the agent made of it meanwhile", async () => {
  const world = temporaryWorld({ ".continuo/rules/x.md": run("npx eslint") });
  const groups = (await rules.actions?.()) ?? [];
  const { root, home } = world;
  const call = callIn(world);
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

it("inside an agent, trust says that agents are set up elsewhere, and check lets others in and ends when nobody waits", async () => {
  const globs = Array.from({ length: 60 }, (_, at) => `"**/*a${at}*b*c*d/**/*e*"`).join(", ");
  const check = "checks: { edits: { never: any, reaction: deny } }";
  const world = temporaryWorld({
    ".continuo/rules/x.md": `---\n${check}\nglobs: [${globs}]\n---\n\nR.\n`,
    ...Object.fromEntries(
      Array.from({ length: 1500 }, (_, at) => [`src/${"aabbccdd".repeat(8)}${at}.ts`, ""]),
    ),
  });
  const groups = (await rules.actions?.()) ?? [];
  const ask = (typed: string, signal?: AbortSignal) =>
    answerInAgent(groups, typed, { ...callIn(world), signal }, { sources: async () => [rules.source] });
  await ask("rules trust");
  expect(await ask("rules trust --yes")).toContain("run continuo rules trust on the command line too");

  let [longest, last] = [0, performance.now()];
  const clock = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const begun = performance.now();
  expect(await ask("rules check")).toContain("matches no file");
  const took = performance.now() - begun;
  expect(Math.max(longest, performance.now() - last)).toBeLessThan(took / 2);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), took / 4);
  expect(await ask("rules check", controller.signal)).toContain("stopped before its end");
  clearInterval(clock);
});
