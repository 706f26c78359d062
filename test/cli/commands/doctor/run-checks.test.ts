import { expect, it } from "vitest";
import { ok } from "../../../../src/cli/commands/doctor/check.ts";
import { CHECKS, type NamedCheck, runChecks } from "../../../../src/cli/commands/doctor/checks.ts";
import { runApart } from "../../../../src/cli/commands/doctor/run-apart.ts";
import { inputIn } from "../../../support/in-process.ts";
import { temporaryWorld } from "../../../support/world.ts";

function world() {
  const made = temporaryWorld();
  return { home: made.home, world: inputIn(made) };
}

const fine: NamedCheck = { name: "fine", about: "what is fine", check: () => [ok("fine", "all of it")] };

it("a check that throws is named in words, and one that never answers is late; the others go on", async () => {
  const made = world();
  const checks: NamedCheck[] = [
    { name: "a", about: "the first thing", check: () => Promise.reject(new TypeError("odd")) },
    { name: "b", about: "the second thing", check: () => new Promise(() => undefined) },
    {
      name: "c",
      about: "the third thing",
      check: () => {
        throw new Error("at once");
      },
    },
    fine,
  ];
  const found = await runChecks(checks, made.world, made.home, 200);
  expect(found.map(({ findings }) => findings.map(({ status, detail }) => `${status} ${detail}`))).toEqual([
    ["fail the first thing could not be checked: odd"],
    ["fail the second thing could not be checked within 1 s"],
    ["fail the third thing could not be checked: at once"],
    ["ok all of it"],
  ]);
});

it("every check says in words what it looks at", () => {
  for (const { name, about } of CHECKS)
    expect([name, about]).toEqual([name, expect.stringMatching(/^\w[\w' ]+ ?\w+$/)]);
  expect(new Set(CHECKS.map(({ name }) => name)).size).toBe(CHECKS.length);
});

it("checks in a process of their own: one that stops it for ever or ends it is left out, the others go on", async () => {
  const made = world();
  // Answers as the command does: one line for each check.
  const script = `
    for (const name of process.env.CONTINUO_DOCTOR_CHECKS.split(",")) {
      if (name === "hangs") for (;;);
      if (name === "ends") process.exit(7);
      require("node:fs").writeSync(1, JSON.stringify({ name, findings: [{ what: name, status: "ok", detail: "", mend: "" }] }) + "\\n");
    }`;
  const named = (name: string, limitMs = 60_000): NamedCheck => ({
    ...fine,
    name,
    about: `what ${name}`,
    limitMs,
  });
  const checks = [named("one"), named("hangs", 1_000), named("two"), named("ends"), named("three")];
  const program = { file: process.execPath, args: ["-e", script], graceMs: 500 };
  const found = await runApart(checks, program, made.world);
  expect(found.map(({ name, findings }) => `${name}: ${findings[0]?.status} ${findings[0]?.detail}`)).toEqual(
    [
      "one: ok ",
      "hangs: fail what hangs could not be checked within 2 s",
      "two: ok ",
      "ends: fail what ends could not be checked: its process ended (code 7)",
      "three: ok ",
    ],
  );
});

it("a program that cannot be started leaves every check unanswered, and says so", async () => {
  const made = world();
  const found = await runApart([fine], { file: "/gone/node", args: [] }, made.world);
  expect(found[0]?.findings[0]?.detail).toContain("could not be checked");
});
