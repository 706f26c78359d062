import { expect, it } from "vitest";
import { exampleSeed, learning } from "../../../sources/profile/seeds.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const LONG =
  "Use pnpm in every project of this company, and never npm or yarn, not even for a global package";

function setUp() {
  const world = temporaryWorld();
  const patterns = [learning("a", LONG), learning("b", "Tests first")];
  write(world.env["HOME"] ?? "", {
    ".pai/seed.json": JSON.stringify(exampleSeed({ learned: { patterns } })),
  });
  const run = async (...args: string[]) =>
    (await runInProcess(args, { env: world.env, cwd: world.root })).stdout;
  const hook = (event: string, more: object) =>
    runScript(CONTINUO, ["hook", "claude-code", event], {
      env: world.env,
      cwd: world.root,
      stdin: JSON.stringify({ session_id: "s1", cwd: world.root, ...more }),
    });
  return { run, hook };
}

it("a learning is named by its sentence in start, why and receipt", async () => {
  const { run, hook } = setUp();
  await hook("SessionStart", { source: "startup" });
  for (const command of [["start"], ["why", "s1"], ["sessions", "receipt", "s1"]]) {
    const shown = (await run(...command)).replace(/\s+/g, " ");
    expect(shown, command.join(" ")).toContain("Tests first");
    expect(shown, command.join(" ")).toContain("Use pnpm in every project of this company");
    expect(shown, command.join(" ")).not.toMatch(/\bpatterns?\b/);
  }
});

it("a session's end has its reason only if that says something", async () => {
  const { run, hook } = setUp();
  await hook("SessionStart", { source: "startup" });
  await hook("SessionEnd", { reason: "other" });
  expect(await run("sessions", "receipt", "s1")).toMatch(/ {2}ended$/m);
  await hook("SessionEnd", { reason: "logout" });
  expect(await run("sessions", "receipt", "s1")).toContain("ended (logout)");
});
