import { expect, it } from "vitest";
import { ContinuoError } from "../../../../src/base/errors.ts";
import { loadHistory } from "../../../../src/hosts/index.ts";
import { createBackground } from "../../../../src/hosts/shared/in-process/background.ts";
import { createOfferRunner, type OfferPlace } from "../../../../src/hosts/shared/in-process/offers.ts";
import type { Offer, OfferContext } from "../../../../src/moments/ports/offer.ts";
import { SOURCES } from "../../../../src/sources/index.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { HOSTILE, OBEYED } from "../../../support/hostile.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function at(offers: readonly Offer[], config: object = {}) {
  const { env, root, home, project } = temporaryWorld();
  write(home.root, { "config.json": JSON.stringify({ sourceDeadlineMs: 50, ...config }) });
  const place: OfferPlace = { session: { host: "pi", id: "s1" }, project, cwd: root, transcript: "/t.jsonl" };
  const runner = createOfferRunner({
    host: "pi",
    offers,
    sources: SOURCES,
    history: loadHistory,
    env,
    now: Date.now,
  });
  const failures = () => readHealth(home.logs).records.map((one) => `${one.where}: ${one.code}`);
  return { runner, place, failures };
}

const fails = () => Promise.reject(new Error("broken"));
const hangs = () => new Promise<never>(() => undefined);
const item = { value: "@@one", label: "one", description: "a session" };

it("continues without an offer that fails or hangs, and records it", async () => {
  const completion = { replaces: "@@", items: [item] };
  const { runner, place, failures } = at([
    { status: fails, completers: [{ name: "a", trigger: "@", complete: fails }] },
    { status: hangs, completers: [{ name: "b", trigger: "@", complete: hangs }] },
    { status: () => "indexing 3/12", completers: [{ name: "c", trigger: "@", complete: () => completion }] },
  ]);
  expect(runner.triggers).toEqual(["@"]);
  expect(await runner.status(place)).toBe("indexing 3/12");
  expect(await runner.complete("use @@", place)).toEqual(completion);
  expect(failures().sort()).toEqual([
    "pi completion: bug",
    "pi completion: offer-late",
    "pi status: bug",
    "pi status: offer-late",
  ]);
});

it("shows the user a command's answer, and the hint if it was refused", async () => {
  const refused = new ContinuoError("no-such-session", "nothing is known of x", { hint: "try y" });
  const { runner, place, failures } = at([
    {
      commands: [
        { name: "echo", description: "", run: (argument, { transcript }) => `${argument} in ${transcript}` },
        { name: "refuse", description: "", run: () => Promise.reject(refused) },
        { name: "break", description: "", run: fails, complete: fails },
      ],
    },
  ]);
  const said = await Promise.all(runner.commands.map((one) => one.run("hello", place)));
  expect(said).toEqual([
    { ok: true, text: "hello in /t.jsonl" },
    { ok: false, text: "nothing is known of x; try y" },
    { ok: false, text: "broken" },
  ]);
  expect(await runner.commands[2]?.complete("", place)).toEqual([]);
  expect(failures()).toEqual(["pi /break: bug", "pi /break: bug"]); // a refusal is no failure
});

it("offers nothing of a source that is turned off, and no status line where none is wanted", async () => {
  const run = () => "ran";
  const offer: Offer = {
    source: "context",
    status: () => "text",
    commands: [{ name: "c", description: "", run, complete: () => [item] }],
    completers: [{ name: "c", trigger: "#", complete: () => ({ replaces: "#", items: [item] }) }],
  };
  const { runner, place } = at([offer], { sources: { context: { enabled: false } } });
  expect(await runner.status(place)).toBe("");
  expect(await runner.complete("#", place)).toBeUndefined();
  expect(await runner.commands[0]?.complete("", place)).toEqual([]);
  expect(await runner.commands[0]?.run("", place)).toMatchObject({ ok: false });
  const quiet = at([offer], { statusLine: false });
  expect(await quiet.runner.status(quiet.place)).toBe("");
  expect(await quiet.runner.commands[0]?.run("", quiet.place)).toEqual({ ok: true, text: "ran" });
});

it("queues the jobs of that time, with the source's settings, and passes their progress on", async () => {
  const seen: unknown[] = [];
  const { runner, place } = at([
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
  runner.begin("idle", place, background, () => seen.push("changed"));
  await background.settle(5_000);
  expect(seen).toEqual([true, "s1", "/t.jsonl", "changed"]);
});

it("runs a job for each idle session, even if they wait for each other", async () => {
  const seen: string[] = [];
  const run = async ({ session }: { session: OfferPlace["session"] }) => void seen.push(session.id);
  const { runner, place } = at([{ jobs: [{ name: "describe", at: "idle", run }] }]);
  const background = createBackground(() => undefined);
  for (const id of ["s1", "s2", "s1"])
    runner.begin("idle", { ...place, session: { host: "opencode", id } }, background, () => undefined);
  await background.settle(5_000);
  expect(seen).toEqual(["s1", "s2"]);
});

it("lets nothing that a terminal would obey through to the person, whatever a source offers", async () => {
  const hostile = { value: HOSTILE, label: HOSTILE, description: HOSTILE };
  const { runner, place } = at([
    {
      status: () => HOSTILE,
      completers: [{ name: "a", trigger: "@", complete: () => ({ replaces: "@", items: [hostile] }) }],
      commands: [
        { name: "show", description: "", run: () => HOSTILE, complete: () => [hostile] },
        { name: "refuse", description: "", run: () => Promise.reject(new ContinuoError("x", HOSTILE)) },
      ],
    },
  ]);
  const [show, refuse] = runner.commands;
  const lines = [
    await runner.status(place),
    ...Object.values((await runner.complete("@", place))?.items[0] ?? {}),
    ...Object.values((await show?.complete("", place))?.[0] ?? {}),
    (await refuse?.run("", place))?.text ?? "",
  ];
  expect(lines).toHaveLength(8);
  for (const text of [...lines, (await show?.run("", place))?.text ?? ""]) {
    expect(text).toContain("EVIL");
    expect(text.replaceAll("\n", "")).not.toMatch(OBEYED);
  }
  for (const line of lines) expect(line).not.toContain("\n");
});

it("tells a command that nobody waits for it any more", async () => {
  let told: unknown;
  const slow = {
    name: "slow",
    description: "",
    waitMs: 20,
    run: (_argument: string, { signal }: OfferContext) =>
      new Promise<string>(() => signal?.addEventListener("abort", () => (told = signal.reason))),
  };
  const { runner, place } = at([{ commands: [slow] }]);
  const [command] = runner.commands;
  const answer = await command?.run("", place);
  expect(answer).toMatchObject({ ok: false, text: expect.stringContaining("took longer than 20 ms") });
  expect(told).toMatchObject({ code: "offer-late" });
});
