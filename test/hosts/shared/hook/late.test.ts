import { expect, it } from "vitest";
import type { LedgerLine } from "../../../../src/moments/state/ledger.ts";
import { sessionLedger } from "../../../../src/moments/state/ledger.ts";
import { SOURCES } from "../../../../src/sources/index.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { FAKE_HOSTS, type FakeHost, type FakeHostName, fakeHost } from "../../../support/fake-hook-hosts.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const RULES = {
  ".continuo/rules/always.md": 'MARK-ALWAYS: say "yes" in <b>,\tor é.',
  ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
  "src/a.ts": "1",
};

interface Begun {
  readonly host: FakeHost;
  readonly root: string;
  ledger(): LedgerLine[];
  /** A command's output, at the time of the last event unless a later one is given. */
  says(...args: string[]): Promise<string>;
  saysLater(...args: string[]): Promise<string>;
  health(): { code: string; message: string }[];
}

function began(name: FakeHostName): Begun {
  const world = temporaryWorld(RULES);
  write(world.home.root, {
    "config.json": JSON.stringify({ momentDeadlineMs: 60_000, sourceDeadlineMs: 50_000 }),
  });
  const session = { host: name, id: "s1" };
  const host = fakeHost(name, world, SOURCES);
  const says = async (now: number, args: readonly string[]) =>
    (await runInProcess(args, { env: world.env, cwd: world.root, now: () => now })).stdout;
  return {
    host,
    root: world.root,
    ledger: () => sessionLedger(world.home, session),
    says: (...args) => says(host.now(), args),
    saysLater: (...args) => says(host.now() + 3_600_000, args),
    health: () => readHealth(world.home.logs).records.map(({ code, message }) => ({ code, message })),
  };
}

const times = (mark: string, request: string | undefined) => (request ?? "").split(mark).length - 1;
const always = (requests: readonly string[]) => times("MARK-ALWAYS", requests.at(-1));
const drops = () => true;

for (const name of FAKE_HOSTS) {
  it(`${name}: the rules come with the next prompt if the host did not wait for those of the first`, async () => {
    const { host, ledger } = began(name);
    const turns = [await host.turn("one", { drops }), await host.turn("two"), await host.turn("three")];
    turns.push(await host.turn("four"));
    expect(turns.map(always)).toEqual([0, 1, 1, 1]);
    const looked = ledger().filter(({ kind }) => kind === "looked");
    expect(looked).toMatchObject([
      { seen: [], missing: [expect.any(String)] },
      { seen: [expect.any(String)], missing: [] },
    ]);
  });

  it(`${name}: why and log say what the agent got, and no more`, async () => {
    const { host, says } = began(name);
    await host.turn("one", { drops, isWithoutAnswer: true });
    expect(await says("why", "s1")).toMatch(/Not in the agent's transcript yet: 1 text\. /);
    await host.turn("two", { drops });
    expect(await says("why", "s1")).toMatch(
      /Cost: no tokens\n\nDid not reach the agent [\s\S]*\nWaiting: 1 more part/,
    );
    const tokens = (text: string) => /Cost: (\d+) tokens/.exec(text)?.[1];
    await host.turn("three");
    await host.turn("four");
    const why = await says("why", "s1");
    expect(why.match(/Added at the start|Did not reach/g)).toEqual(["Added at the start"]);
    expect(why).not.toContain("transcript yet");
    const log = await says("log");
    expect(log.match(/(did not reach the agent|start|prompt|compaction)(?=: rule always.md)/g)).toEqual([
      "did not reach the agent",
      "prompt",
    ]);
    const once = began(name);
    await once.host.turn("one");
    expect(tokens(why)).toBe(tokens(await once.says("why", "s1")));
  });

  it(`${name}: what an agent did not get before its session was over is one failure, and nothing waits`, async () => {
    const { host, ledger, says, saysLater, health } = began(name);
    await host.turn("one", { drops, runs: ["cat src/a.ts"] });
    expect(await says("status")).toMatch(/Waiting: /);
    await host.end();
    await host.end();
    const hasSaidEnd = name !== "copilot";
    expect(health().map(({ code }) => code)).toEqual(hasSaidEnd ? ["not-delivered"] : []);
    const [now, status, why, doctor] = [hasSaidEnd ? says : saysLater, "status", "why", "doctor"];
    expect(await now(status)).not.toContain("Waiting");
    const shown = await now(why, "s1");
    expect(shown).toContain("Did not reach the agent");
    // In one process the tests share what earlier events cost: then no time is known.
    const ms = ledger().flatMap((one) =>
      one.kind === "delivered" && one.spent?.moments === 1 ? [one.spent.ms] : [],
    );
    const after = ms.length === 0 ? "" : `; the hook had its answer after ${Math.max(...ms)} ms`;
    expect(shown).toMatch(
      /Failure: a session is over, and its agent did not get what the hook answered: .*always\.md/,
    );
    expect(shown).toMatch(new RegExp(`\\.md${after} \\(not-delivered, [^;]+; 1 time, `));
    expect(shown).not.toMatch(/No failures|Waiting/);
    expect(await now(doctor)).toMatch(/not-delivered, [\s\S]*continuo why s1/);
    expect(await now("sessions", "receipt", "s1")).not.toContain("waiting for");
  });

  it(`${name}: a session that ends before the model answered, or got all, has no failure`, async () => {
    const { host, saysLater, health } = began(name);
    await host.turn("one", { drops, isWithoutAnswer: true });
    await host.end();
    expect(health()).toEqual([]);
    expect(await saysLater("why", "s1")).toContain("No failures");
    const other = began(name);
    await other.host.turn("one", { drops });
    await other.host.turn("two");
    await other.host.end();
    expect(other.health()).toEqual([]);
    expect(await other.saysLater("why", "s1")).toContain("No failures");
  });

  it(`${name}: what was shown is given once`, async () => {
    const { host, root } = began(name);
    const runs = ["cat src/a.ts", "cat src/a.ts"];
    expect((await host.turn("one", { runs })).map((text) => times("MARK-TYPED", text))).toEqual([0, 1, 1]);
    write(root, { ".continuo/rules/late.md": "MARK-LATE: new." });
    const last = (await host.turn("two")).at(-1);
    const again = (await host.turn("three", { runs })).at(-1);
    for (const mark of ["MARK-ALWAYS", "MARK-TYPED", "MARK-LATE"])
      expect([mark, times(mark, last), times(mark, again)]).toEqual([mark, 1, 1]);
  });

  it(`${name}: the rule of a file comes at a later call if the answer to the first was lost`, async () => {
    const { host } = began(name);
    await host.turn("one", { drops: (event) => event === host.toolEvent, runs: ["cat src/a.ts"] });
    const next = await host.turn("two", { runs: ["true"] });
    expect([times("MARK-TYPED", next[0]), always(next)]).toEqual([1, 1]);
  });

  it(`${name}: lost rules come in the same turn, once the model has answered without them`, async () => {
    const { host } = began(name);
    const isFirst = (event: string) => event !== host.toolEvent;
    const requests = await host.turn("one", { drops: isFirst, runs: ["true", "true", "true"] });
    expect(requests.map((text) => times("MARK-ALWAYS", text))).toEqual([0, 1, 1, 1]);
  });

  it(`${name}: a host that was killed between a compaction and its hook has the rules when it goes on`, async () => {
    const { host } = began(name);
    await host.turn("one");
    await host.compact({ isKilled: true });
    await host.resume();
    expect(always(await host.turn("two"))).toBe(1);
    expect(always(await host.turn("three"))).toBe(1);
  });

  it(`${name}: the rules come again after each of two compactions within seconds`, async () => {
    const { host } = began(name);
    for (const prompt of ["one", "two", "three"]) {
      expect(always(await host.turn(prompt)), prompt).toBe(1);
      await host.compact();
    }
  });

  it(`${name}: a host that never keeps what it is given is not given it without end`, async () => {
    const { host, ledger } = began(name);
    for (let turn = 0; turn < 12; turn++) await host.turn("go on", { drops });
    expect(ledger().filter(({ kind }) => kind === "delivered").length).toBeLessThanOrEqual(6);
  });
}
