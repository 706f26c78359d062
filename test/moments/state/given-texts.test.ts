import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  appendGivenText,
  forgetGivenTexts,
  givenTexts,
  pruneGivenTexts,
} from "../../../src/moments/state/given-texts.ts";
import { sessionLedger } from "../../../src/moments/state/ledger.ts";
import { engineWorld, puppet } from "../../support/engine.ts";
import { item, section, temporaryWorld } from "../../support/world.ts";

const session = { host: "claude-code", id: "s1" };
const text = (n: number, words = "text") => ({
  at: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
  epoch: 1,
  what: "addition" as const,
  moment: "prompt" as const,
  fingerprint: String(n),
  text: `${words} ${n}`,
});

it("every delivered text is kept as the model got it, with its moment and what it was for", async () => {
  const { source, say } = puppet();
  const world = engineWorld([source]);
  say(section([item("a", "Use tabs.")]));
  const start = await world.start();
  say(section([item("b", "Money is in cents.")]));
  const added = await world.prompt("total the cart");
  say(section([item("c", "Carts have tests.")]));
  const atTool = await world.tool("Edit", "s1", [{ path: "src/cart.ts", access: "edit" }]);
  const kept = givenTexts(world.home, session);
  expect(kept.map((one) => one.text)).toEqual([start, added, atTool]);
  expect(kept.map(({ what, moment, about }) => ({ what, moment, about }))).toEqual([
    { what: "snapshot", moment: "start", about: undefined },
    { what: "addition", moment: "prompt", about: "total the cart" },
    { what: "addition", moment: "tool", about: "Edit src/cart.ts" },
  ]);
  const lines = sessionLedger(world.home, session).filter((line) => line.kind === "delivered");
  expect(lines.map(({ fingerprint }) => fingerprint)).toEqual(kept.map(({ fingerprint }) => fingerprint));
});

it("nothing is written where nothing is delivered, and a replay keeps no second copy", async () => {
  const { source, say } = puppet();
  const world = engineWorld([source]);
  await world.start();
  await world.prompt("hello");
  expect(existsSync(world.home.given)).toBe(false);
  say(section([item("a", "Use tabs.")]));
  await world.prompt("hello again");
  const before = givenTexts(world.home, session).length;
  await world.resume();
  await world.prompt("and again");
  expect(givenTexts(world.home, session)).toHaveLength(before);
});

it("a handover to the summariser is kept too", async () => {
  const { source, say } = puppet();
  const world = engineWorld([source]);
  say(section([item("a", "Use tabs.")]));
  await world.start();
  const handover = await world.compacting();
  expect(handover).not.toBe("");
  expect(givenTexts(world.home, session).at(-1)).toMatchObject({ what: "handover", text: handover });
});

it("secrets are redacted", () => {
  const { home } = temporaryWorld();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  appendGivenText(home, session, text(1, `the token ${secret}`));
  const folder = join(home.given, "claude-code", "s1");
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(stored.join("")).not.toContain(secret);
  expect(givenTexts(home, session)[0]?.text).toContain("[redacted:");
});

it("a line that a killed process left half written costs only that line", () => {
  const { home } = temporaryWorld();
  appendGivenText(home, session, text(1));
  const file = join(home.given, "claude-code", "s1", "given-000001.jsonl");
  writeFileSync(file, `${readFileSync(file, "utf8")}{"v":1,"at":"2026`);
  appendGivenText(home, session, text(2));
  expect(givenTexts(home, session).map(({ fingerprint }) => fingerprint)).toEqual(["1", "2"]);
});

it("of one session the newest megabyte is kept", () => {
  const { home } = temporaryWorld();
  const long = "plain words ".repeat(2_000);
  for (let n = 0; n < 80; n++) appendGivenText(home, session, text(n, long));
  const kept = givenTexts(home, session).map(({ fingerprint }) => Number(fingerprint));
  expect(kept.at(-1)).toBe(79);
  expect(kept.length * long.length).toBeGreaterThan(700_000);
  expect(kept.length * long.length).toBeLessThan(1_200_000);
});

it("of all sessions the ones that were given something last are kept", () => {
  const { home } = temporaryWorld();
  for (let n = 0; n < 10; n++) {
    appendGivenText(home, { host: "pi", id: `s${n}` }, text(n, "x".repeat(1000)));
    const at = new Date(Date.UTC(2026, 0, 1 + n));
    utimesSync(join(home.given, "pi", `s${n}`, "given-000001.jsonl"), at, at);
  }
  pruneGivenTexts(home, Date.now(), { maxSessions: 4 });
  expect(readdirSync(join(home.given, "pi")).toSorted()).toEqual(["s6", "s7", "s8", "s9"]);
  // Once a day.
  pruneGivenTexts(home, Date.now(), { maxSessions: 1 });
  expect(readdirSync(join(home.given, "pi"))).toHaveLength(4);
  pruneGivenTexts(home, Date.now(), { maxBytes: 2_500, everyMs: 0 });
  expect(readdirSync(join(home.given, "pi")).toSorted()).toEqual(["s8", "s9"]);
});

it("a forgotten session leaves no text", () => {
  const { home } = temporaryWorld();
  appendGivenText(home, session, text(1));
  appendGivenText(home, { ...session, id: "s2" }, text(2));
  forgetGivenTexts(home, session);
  expect(givenTexts(home, session)).toEqual([]);
  expect(givenTexts(home, { ...session, id: "s2" })).toHaveLength(1);
});

it("a home that cannot be written costs the text and not the delivery", async () => {
  const { source, say } = puppet();
  const world = engineWorld([source]);
  say(section([item("a", "Use tabs.")]));
  await world.start("other");
  writeFileSync(join(world.home.given, "claude-code", "s1"), "in the way");
  expect(await world.start()).toContain("Use tabs.");
  expect(world.trouble.map(({ where }) => where)).toEqual(["given texts"]);
});
