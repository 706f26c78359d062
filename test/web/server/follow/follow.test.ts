import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { appendLedger, type LedgerEntry } from "../../../../src/moments/state/ledger.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { fileNameFor } from "../../../../src/store/home.ts";
import { writeFileAtomic } from "../../../../src/store/write-file.ts";
import type { WebEvent } from "../../../../src/web/api/events.ts";
import { follow } from "../../../../src/web/server/follow/follow.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { listen } from "../../../support/web-events.ts";
import { write } from "../../../support/world.ts";

const NOW = Date.parse("2026-11-16T10:00:00Z");
const entry = (session: string, more: Partial<LedgerEntry> = {}): LedgerEntry =>
  ({
    kind: "delivered",
    host: "pi",
    session,
    project: "/p",
    epoch: 1,
    what: "snapshot",
    tokens: 1,
    fingerprint: "f",
    items: [],
    dropped: [],
    ...more,
  }) as LedgerEntry;

function following(before: (place: ReturnType<typeof temporaryWeb>) => void = () => undefined) {
  const place = temporaryWeb({}, []);
  before(place);
  const follower = follow(place.web);
  onTestFinished(() => follower.close());
  return { ...place, ...listen(place.web), follower };
}

const is =
  (wanted: object) =>
  (event: WebEvent): boolean => {
    const all = event as unknown as Record<string, unknown>;
    return Object.entries(wanted).every(
      ([name, value]) => JSON.stringify(all[name]) === JSON.stringify(value),
    );
  };
const given = (id: string) => is({ type: "given", session: { host: "pi", id } });

describe("the ledger", () => {
  it("is followed: deliveries, changed sets, ends; not what was there before", async () => {
    const { home, first, events } = following(({ home }) => appendLedger(home, NOW, entry("old")));
    appendLedger(home, NOW, entry("new"));
    await first(given("new"));
    const changed = { kind: "context", reason: "changed", setName: "files", added: [], removed: [] } as const;
    appendLedger(home, NOW, entry("new", changed));
    appendLedger(home, NOW, entry("new", { kind: "ended", why: "exit" }));
    const session = { host: "pi", id: "new" };
    await first(is({ type: "context", session, reason: "changed", setName: "files" }));
    await first(is({ type: "session", session, reason: "ended" }));
    expect(events.some(given("old"))).toBe(false);
  });

  it("is followed from its first line and into the next file", async () => {
    const { home, first } = following();
    appendLedger(home, NOW, entry("first"));
    await first(given("first"));
    writeFileSync(join(home.ledger, "ledger-000002.jsonl"), "");
    appendLedger(home, NOW, entry("second"));
    await first(given("second"));
    appendLedger(home, NOW, entry("third"));
    await first(given("third"));
  });

  it("is read by whole lines, whatever is in them", async () => {
    const { home, first, events } = following(({ home }) => appendLedger(home, NOW, entry("before")));
    const path = join(home.ledger, "ledger-000001.jsonl");
    const line = JSON.stringify({ v: 1, at: "", ...entry("halved") });
    appendFileSync(
      path,
      `not json\nnull\n{"v":9}\n{"v":1,"session":"x","kind":"delivered"}\n${line.slice(0, 40)}`,
    );
    appendFileSync(path, `${line.slice(40)}\n`);
    await first(given("halved"));
    expect(events.filter((event) => event.type === "given")).toHaveLength(1);
  });

  it("is read in slices however much is appended at once, and each event comes once", async () => {
    const { home, first, events } = following(({ home }) => appendLedger(home, NOW, entry("before")));
    const line = (id: string) => `${JSON.stringify({ v: 1, at: "", ...entry(id) })}\n`;
    const many = Array.from({ length: 6000 }, (_, at) => line(`s${at % 3}`)).join("");
    appendFileSync(
      join(home.ledger, "ledger-000001.jsonl"),
      `${"x".repeat(600_000)}\n${many}${line("last")}`,
    );
    await first(given("last"));
    expect(events.filter(given("s0")).length).toBeLessThan(20);
  });

  it("may be deleted and begin again", async () => {
    const { home, first } = following(({ home }) => appendLedger(home, NOW, entry("before")));
    rmSync(home.ledger, { recursive: true });
    appendLedger(home, NOW, entry("after"));
    await first(given("after"));
  });
});

describe("files of sessions", () => {
  it("are followed: states and metadata, also of a host that is new", async () => {
    const { home, first } = following(({ home }) => mkdirSync(join(home.state, "pi"), { recursive: true }));
    writeFileAtomic(join(home.state, "pi", "one.json"), "{}");
    await first(is({ type: "session", session: { host: "pi", id: "one" }, reason: "state" }));
    writeFileAtomic(join(home.state, "pi", "one.meta.json"), "{}");
    await first(is({ type: "session", session: { host: "pi", id: "one" }, reason: "metadata" }));
    writeFileAtomic(join(home.state, "codex", "two.json"), "{}");
    await first(is({ type: "reset" }));
    writeFileAtomic(join(home.state, "codex", "three.json"), "{}");
    await first(is({ type: "session", session: { host: "codex", id: "three" }, reason: "state" }));
  });

  it("name the session also if its id is no file name", async () => {
    const id = 'a "quoted"/id\nwith a line break';
    const { home, first } = following(({ home }) => mkdirSync(join(home.state, "pi"), { recursive: true }));
    const state = { version: 1, session: { host: "pi", id }, snapshot: { text: "x".repeat(50_000) } };
    writeFileAtomic(join(home.state, "pi", `${fileNameFor(id)}.json`), JSON.stringify(state));
    await first(is({ type: "session", session: { host: "pi", id }, reason: "state" }));
  });

  it("are followed for records and tombstones", async () => {
    const { home, first } = following(({ home }) =>
      write(home.root, { "sessions-meta/codex/a.meta.json": "{}" }),
    );
    writeFileAtomic(join(home.root, "sessions-meta", "codex", "b.forgotten"), "");
    await first(is({ type: "session", session: { host: "codex", id: "b" }, reason: "forgotten" }));
  });
});

describe("other files", () => {
  it("are followed: trust, settings, rules, suggestions, failures", async () => {
    const { home, env, web, first } = following(({ home }) => mkdirSync(home.root));
    writeFileAtomic(join(home.root, "trust.json"), "{}");
    await first(is({ type: "rules" }));
    writeFileAtomic(home.config, "{}");
    await first(is({ type: "connect" }));
    writeFileAtomic(join(env["HOME"] ?? "", ".pai", "seed.json"), "{}");
    await first(is({ type: "inbox" }));
    web.report("a-code", "a failure");
    await first(is({ type: "health" }));
  });

  it("are followed: notes in every folder, those that appear and those that are moved", async () => {
    const { home, first, events } = following();
    const notes = () => events.filter(is({ type: "notes" })).length;
    const memory = join(home.root, "memory");
    write(memory, { "a/b/one.md": "one" });
    await first(is({ type: "notes" }));
    for (const change of [
      () => writeFileSync(join(memory, "a", "b", "one.md"), "two"),
      () => renameSync(join(memory, "a"), join(memory, "z")),
      () => writeFileSync(join(memory, "z", "b", "one.md"), "three"),
      () => rmSync(memory, { recursive: true }),
      () => write(memory, { "again.md": "again" }),
      () => writeFileSync(join(memory, "again.md"), "changed"),
    ]) {
      await settled(notes);
      const before = notes();
      change();
      await first(() => notes() > before);
    }
  });

  it("are followed also if the home is created later", async () => {
    const { home, first } = following();
    writeFileAtomic(home.config, "{}");
    await first(is({ type: "reset" }));
    writeFileAtomic(join(home.root, "trust.json"), "{}");
    await first(is({ type: "rules" }));
  });

  it("that are unfinished or foreign say nothing", async () => {
    const { home, first, events } = following(({ home }) =>
      mkdirSync(join(home.state, "pi"), { recursive: true }),
    );
    write(home.state, { "pi/.one.json.1-a.unfinished": "", "pi/one.held": "" });
    write(home.root, { "unrelated.txt": "" });
    writeFileAtomic(join(home.root, "trust.json"), "{}");
    await first(is({ type: "rules" }));
    expect(events.filter((event) => event.type === "session")).toEqual([]);
  });
});

describe("what cannot be watched", () => {
  it("is recorded once and looked at when a page asks", async () => {
    const place = temporaryWeb({}, []);
    mkdirSync(join(place.home.state, "pi"), { recursive: true });
    appendLedger(place.home, NOW, entry("before"));
    const { events, first } = listen(place.web);
    const follower = follow(place.web, { watch: () => noMoreWatches() });
    onTestFinished(() => follower.close());
    const failures = readHealth(place.home.logs).records.filter(({ code }) => code === "web-not-watched");
    expect(failures).toHaveLength(1);
    expect(failures[0]?.message).toContain("ENOSPC");
    appendLedger(place.home, NOW, entry("after"));
    expect(events).toEqual([]);
    follower.check();
    await first(given("after"));
    writeFileAtomic(join(place.home.state, "pi", "one.json"), "{}");
    follower.check();
    await first(is({ type: "reset" }));
    const before = events.length;
    follower.check();
    expect(events).toHaveLength(before);
  });
});

function noMoreWatches(): never {
  throw Object.assign(new Error("ENOSPC: System limit for number of file watchers reached"), {
    code: "ENOSPC",
    syscall: "watch",
  });
}

/** Until no more events come of what was done before: the system tells of one change several times. */
async function settled(count: () => number): Promise<void> {
  for (let before = -1; before !== count(); ) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
}
