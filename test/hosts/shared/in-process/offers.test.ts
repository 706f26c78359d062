import { expect, it } from "vitest";
import { ContinuoError } from "../../../../src/base/errors.ts";
import { loadHistory } from "../../../../src/hosts/load-history.ts";
import { createBackground } from "../../../../src/hosts/shared/in-process/background.ts";
import { createCounter, type Seat } from "../../../../src/hosts/shared/in-process/offers.ts";
import type { Offer } from "../../../../src/moments/ports/offer.ts";
import { SOURCES } from "../../../../src/sources/index.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { HOSTILE, OBEYED } from "../../../support/hostile.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function at(offers: readonly Offer[], config: object = {}) {
  const { env, root, home, project } = temporaryWorld();
  write(home.root, { "config.json": JSON.stringify({ sourceDeadlineMs: 50, ...config }) });
  const seat: Seat = { session: { host: "pi", id: "s1" }, project, cwd: root, transcript: "/t.jsonl" };
  const counter = createCounter({
    host: "pi",
    offers,
    sources: SOURCES,
    history: loadHistory,
    env,
    now: Date.now,
  });
  const troubles = () => readHealth(home.logs).records.map((one) => `${one.where}: ${one.code}`);
  return { counter, seat, troubles };
}

const fails = () => Promise.reject(new Error("broken"));
const hangs = () => new Promise<never>(() => undefined);
const item = { value: "@@one", label: "one", description: "a session" };

it("goes on without an offer that fails or hangs, and tells doctor", async () => {
  const completion = { replaces: "@@", items: [item] };
  const { counter, seat, troubles } = at([
    { status: fails, completers: [{ name: "a", trigger: "@", complete: fails }] },
    { status: hangs, completers: [{ name: "b", trigger: "@", complete: hangs }] },
    { status: () => "indexing 3/12", completers: [{ name: "c", trigger: "@", complete: () => completion }] },
  ]);
  expect(counter.triggers).toEqual(["@"]);
  expect(await counter.status(seat)).toBe("indexing 3/12");
  expect(await counter.complete("use @@", seat)).toEqual(completion);
  expect(troubles().sort()).toEqual([
    "pi completion: bug",
    "pi completion: offer-late",
    "pi status: bug",
    "pi status: offer-late",
  ]);
});

it("tells the user what a command said, and what would have worked where it was refused", async () => {
  const refused = new ContinuoError("no-such-session", "nothing is known of x", { hint: "try y" });
  const { counter, seat, troubles } = at([
    {
      commands: [
        { name: "echo", description: "", run: (argument, { transcript }) => `${argument} in ${transcript}` },
        { name: "refuse", description: "", run: () => Promise.reject(refused) },
        { name: "break", description: "", run: fails, complete: fails },
      ],
    },
  ]);
  const said = await Promise.all(counter.commands.map((one) => one.run("hello", seat)));
  expect(said).toEqual([
    { ok: true, text: "hello in /t.jsonl" },
    { ok: false, text: "nothing is known of x; try y" },
    { ok: false, text: "broken" },
  ]);
  expect(await counter.commands[2]?.complete("", seat)).toEqual([]);
  expect(troubles()).toEqual(["pi /break: bug", "pi /break: bug"]); // a refusal is no failure
});

it("offers nothing of a source that is turned off, and no status line where none is wanted", async () => {
  const run = () => "ran";
  const offer: Offer = {
    source: "context",
    status: () => "text",
    commands: [{ name: "c", description: "", run, complete: () => [item] }],
    completers: [{ name: "c", trigger: "#", complete: () => ({ replaces: "#", items: [item] }) }],
  };
  const { counter, seat } = at([offer], { sources: { context: { enabled: false } } });
  expect(await counter.status(seat)).toBe("");
  expect(await counter.complete("#", seat)).toBeUndefined();
  expect(await counter.commands[0]?.complete("", seat)).toEqual([]);
  expect(await counter.commands[0]?.run("", seat)).toMatchObject({ ok: false });
  const quiet = at([offer], { statusLine: false });
  expect(await quiet.counter.status(quiet.seat)).toBe("");
  expect(await quiet.counter.commands[0]?.run("", quiet.seat)).toEqual({ ok: true, text: "ran" });
});

it("hands over the jobs of that time, with the source's settings, and hears of their progress", async () => {
  const seen: unknown[] = [];
  const { counter, seat } = at([
    {
      source: "rules",
      jobs: [
        {
          name: "index",
          at: "idle",
          run: async ({ settings, session, transcript }, { changed }) => {
            seen.push(settings["enabled"], session.id, transcript);
            changed();
          },
        },
        { name: "late", at: "end", run: fails },
      ],
    },
  ]);
  const background = createBackground((_, error) => {
    throw error;
  });
  counter.begin("idle", seat, background, () => seen.push("changed"));
  await background.settle(5_000);
  expect(seen).toEqual([true, "s1", "/t.jsonl", "changed"]);
});

it("has a job done for each session that rests, also where they wait for each other", async () => {
  const seen: string[] = [];
  const run = async ({ session }: { session: Seat["session"] }) => void seen.push(session.id);
  const { counter, seat } = at([{ jobs: [{ name: "describe", at: "idle", run }] }]);
  const background = createBackground(() => undefined);
  for (const id of ["s1", "s2", "s1"])
    counter.begin("idle", { ...seat, session: { host: "opencode", id } }, background, () => undefined);
  await background.settle(5_000);
  expect(seen).toEqual(["s1", "s2"]);
});

it("lets nothing that a terminal would obey through to the person, whatever a source offers", async () => {
  const hostile = { value: HOSTILE, label: HOSTILE, description: HOSTILE };
  const { counter, seat } = at([
    {
      status: () => HOSTILE,
      completers: [{ name: "a", trigger: "@", complete: () => ({ replaces: "@", items: [hostile] }) }],
      commands: [
        { name: "show", description: "", run: () => HOSTILE, complete: () => [hostile] },
        { name: "refuse", description: "", run: () => Promise.reject(new ContinuoError("x", HOSTILE)) },
      ],
    },
  ]);
  const [show, refuse] = counter.commands;
  const lines = [
    await counter.status(seat),
    ...Object.values((await counter.complete("@", seat))?.items[0] ?? {}),
    ...Object.values((await show?.complete("", seat))?.[0] ?? {}),
    (await refuse?.run("", seat))?.text ?? "",
  ];
  expect(lines).toHaveLength(8);
  for (const text of [...lines, (await show?.run("", seat))?.text ?? ""]) {
    expect(text).toContain("EVIL");
    expect(text.replaceAll("\n", "")).not.toMatch(OBEYED);
  }
  for (const line of lines) expect(line).not.toContain("\n");
});
