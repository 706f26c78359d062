import { chmodSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionsIndexPath } from "../../../src/sources/sessions/indexing/schema.ts";
import { giveAway, unprivileged } from "../../store/derived-index/unprivileged.ts";
import { answer, ask, CLAUDE, lineOf, place } from "./place.ts";

const found = (
  sessions: { search(query: string): { hits: readonly { session: { id: string } }[] } },
  query: string,
) => sessions.search(query).hits.map(({ session }) => session.id);

describe("the index of sessions", () => {
  it("reads a session once, then only what was appended, with the same result as reading it whole", async () => {
    const here = place();
    here.write("one", [ask("Where are prices rounded?"), answer("In the ledger module.")]);
    const sessions = here.open();
    expect(await sessions.sync()).toMatchObject({ sessions: 1, changed: 1, isComplete: true });
    expect(await sessions.sync()).toMatchObject({ changed: 0, bytes: 0 });
    for (let turn = 0; turn < 80; turn++) {
      here.append("one", [
        ask(`Question ${turn} about topic${turn}`),
        answer(`Reply ${turn} on zebra${turn}`),
      ]);
      if (turn % 20 === 0) await sessions.sync();
    }
    const last = await sessions.sync();
    expect(last.bytes).toBeLessThan(readFileSync(here.path("one")).length / 2);
    const grown = {
      ...sessions.get({ host: CLAUDE, id: "one" }),
      all: sessions.allPassages({ host: CLAUDE, id: "one" }),
    };
    rmSync(sessionsIndexPath(here.home));
    const anew = here.open();
    await anew.sync();
    expect({
      ...anew.get({ host: CLAUDE, id: "one" }),
      all: anew.allPassages({ host: CLAUDE, id: "one" }),
    }).toEqual(grown);
    expect(grown.counts).toMatchObject({ turns: 162, prompts: 81, passages: 162 });
    expect(found(anew, "zebra41")).toEqual(["one"]);
  });

  it("takes the time of the last turn, even of a file that was copied or restored since", async () => {
    const here = place();
    here.write("one", [ask("Where are prices rounded?"), answer("In the ledger module.")]);
    const said = Date.parse(
      JSON.parse(readFileSync(here.path("one"), "utf8").trim().split("\n").at(-1) ?? "").timestamp,
    );
    utimesSync(here.path("one"), new Date(said + 5e8), new Date(said + 5e8));
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "one" })?.modified).toBe(said);
  });

  it("counts text after a command as a prompt, and a command alone as none", async () => {
    const here = place();
    const command = (name: string, args: string) =>
      ask(
        `<command-message>x</command-message>\n<command-name>${name}</command-name>\n<command-args>${args}</command-args>`,
      );
    here.write("one", [
      command("/mcp", ""),
      command("/review-pr", "104 with a focus on locking"),
      answer("Done."),
    ]);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "one" })).toMatchObject({
      name: "/review-pr 104 with a focus on locking",
      counts: { prompts: 1 },
    });
    expect(found(sessions, "review-pr locking")).toEqual(["one"]);
    expect(found(sessions, "mcp")).toEqual([]);
  });

  it("finds the last answer before anything follows it, and once when something does", async () => {
    const here = place();
    here.write("one", [ask("Where are prices rounded?"), answer("In the quokka module.")]);
    const sessions = here.open();
    await sessions.sync();
    expect(found(sessions, "quokka")).toEqual(["one"]);
    here.append("one", [ask("And where else?")]);
    await sessions.sync();
    const all = sessions.allPassages({ host: CLAUDE, id: "one" });
    expect(all.filter(({ text }) => text.includes("quokka"))).toHaveLength(1);
  });

  it("starts over when a file was replaced, and drops what only the old one said", async () => {
    const here = place();
    here.write("one", [ask("About the walrus please"), answer("Yes, the walrus.")]);
    const sessions = here.open();
    await sessions.sync();
    here.write("one", [
      ask("Something about the ocelot instead"),
      answer("Then the ocelot, at more length than before."),
    ]);
    here.touch("one");
    await sessions.sync();
    expect(sessions.search("walrus").total).toBe(0);
    expect(found(sessions, "ocelot")).toEqual(["one"]);
    expect(sessions.get({ host: CLAUDE, id: "one" })?.counts).toMatchObject({ turns: 2, prompts: 1 });
  });

  it("takes the facts of a replaced file from the new one, and a folder that is named late", async () => {
    const here = place();
    const said = [ask("Tell me about the pangolin, at length"), answer("It has scales.")];
    here.write("one", said, { forkedFrom: { sessionId: "old" } });
    const line = JSON.parse(lineOf("late", ask("Tell me about the lemur"), { cwd: undefined })) as object;
    writeFileSync(here.path("late"), `${JSON.stringify(line)}\n`);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "one" })).toMatchObject({ cwd: "/work/shop", forkOf: "old" });
    expect(sessions.get({ host: CLAUDE, id: "late" })?.cwd).toBeUndefined();
    here.write("one", [ask("Now about the lemur")], { cwd: "/work/zoo", gitBranch: "next" });
    here.touch("one");
    here.append("late", [ask("And in this folder")]);
    await sessions.sync();
    const replaced = sessions.get({ host: CLAUDE, id: "one" });
    expect(replaced).toMatchObject({ cwd: "/work/zoo", branch: "next", label: "zoo" });
    expect(replaced).not.toHaveProperty("forkOf");
    expect(sessions.get({ host: CLAUDE, id: "late" })?.cwd).toBe("/work/shop");
  });

  it("continues after a slice that was too short, piece by piece, until it is complete", async () => {
    const here = place();
    for (let n = 0; n < 12; n++)
      here.write(
        `s${n}`,
        Array.from({ length: 30 }, (_, at) => ask(`Request ${at} of number${n}`)),
      );
    const sessions = here.open();
    let slices = 0;
    for (let isComplete = false; !isComplete && slices < 50; slices++)
      ({ isComplete } = await sessions.sync({ sliceMs: 0 }));
    expect(slices).toBeGreaterThan(3);
    expect(sessions.list()).toHaveLength(12);
    expect(found(sessions, "number7")).toEqual(["s7"]);
  });

  it("stops at the signal and keeps what it has", async () => {
    const here = place();
    for (let n = 0; n < 5; n++) here.write(`s${n}`, [ask(`Request of number${n} here`)]);
    const sessions = here.open();
    const stop = new AbortController();
    stop.abort();
    expect(await sessions.sync({ signal: stop.signal })).toMatchObject({ isComplete: false });
    expect((await sessions.sync()).isComplete).toBe(true);
    expect(sessions.list()).toHaveLength(5);
  });

  it("has the same result when several processes fill it at once", async () => {
    const here = place();
    for (let n = 0; n < 8; n++) here.write(`s${n}`, [ask(`Request of number${n} here`), answer("Done so.")]);
    const all = [here.open(), here.open(), here.open()];
    await Promise.all(all.map((one) => one.sync({ sliceMs: 2000 })));
    await all[0]?.sync();
    expect(all[1]?.list().map(({ counts }) => counts.passages)).toEqual(Array(8).fill(2));
    expect(all[2]?.search("number3").total).toBe(1);
  });

  it("contains no secrets, injected text or tool results", async () => {
    const here = place();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ";
    here.write("one", [
      ask(`Deploy with ${secret} please\n<continuo>\nMARK-OURS: walrus\n</continuo>`),
      answer("", [{ name: "Bash", input: { command: `curl -H 'Authorization: Bearer ${secret}' x` } }]),
    ]);
    const sessions = here.open();
    await sessions.sync();
    sessions.record({ host: CLAUDE, id: "one" });
    expect(sessions.search("walrus").total).toBe(0);
    const text = sessions
      .allPassages({ host: CLAUDE, id: "one" })
      .map((one) => one.text)
      .join("\n");
    expect(text).toContain("[redacted:github-token]");
    expect(text).not.toContain("ghp_");
    sessions.close();
    expect(readFileSync(sessionsIndexPath(here.home), "latin1")).not.toContain("ghp_");
  });

  it("does not take turns without ids for copies, even at the same place of two files", async () => {
    const here = place();
    const without = { uuid: undefined };
    here.write("one", [ask("About the numbat please")], without);
    here.write("two", [ask("About the potoroo please")], without);
    const sessions = here.open();
    await sessions.sync();
    expect(found(sessions, "numbat")).toEqual(["one"]);
    expect(found(sessions, "potoroo")).toEqual(["two"]);
  });

  it("finds copied text once, and shows it in both sessions", async () => {
    const here = place();
    const shared = [ask("Hello you there", "shared-0"), ask("Explain the narwhal cache", "shared-1")];
    here.write("original", [...shared, answer("It keeps narwhals.")]);
    here.touch("original");
    here.write("fork", [...shared, ask("And now the lemur one")], { forkedFrom: { sessionId: "original" } });
    here.touch("fork");
    const sessions = here.open();
    await sessions.sync();
    expect(found(sessions, "explain narwhal cache")).toHaveLength(2); // the original still has an answer about it
    expect(sessions.allPassages({ host: CLAUDE, id: "fork" })[1]?.text).toContain("narwhal");
    expect(sessions.allPassages({ host: CLAUDE, id: "original" })[1]?.text).toContain("narwhal");
    expect(sessions.passages({ host: CLAUDE, id: "original" }, "explain the cache", 1)[0]?.turn).toBe(
      "shared-1",
    );
    expect(found(sessions, "explain")).toHaveLength(1);
    expect(sessions.ancestors({ host: CLAUDE, id: "fork" }).map(({ id }) => id)).toEqual(["original"]);
    expect(sessions.descendants({ host: CLAUDE, id: "original" }).map(({ id }) => id)).toEqual(["fork"]);
  });
});

describe("a history that is gone", () => {
  it("stays searchable with keep on, and its record stays", async () => {
    const here = place();
    here.write("one", [ask("Tell me about the pangolin"), answer("It has scales.")]);
    const sessions = here.open();
    await sessions.sync();
    sessions.record({ host: CLAUDE, id: "one" });
    rmSync(here.path("one"));
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "one" })?.isGone).toBe(true);
    expect(found(sessions, "pangolin")).toEqual(["one"]);
    expect(sessions.record({ host: CLAUDE, id: "one" })?.summary).toContain("pangolin");
    expect([...sessions.turns({ host: CLAUDE, id: "one" })]).toEqual([]);
  });

  it("is removed with keep off", async () => {
    const here = place({ keep: false });
    here.write("one", [ask("Tell me about the pangolin"), answer("It has scales.")]);
    const sessions = here.open();
    await sessions.sync();
    rmSync(here.path("one"));
    expect((await sessions.sync()).forgotten).toBe(1);
    expect(sessions.list()).toEqual([]);
    expect(sessions.search("pangolin").total).toBe(0);
  });

  it("does not count as gone when its folder cannot be read", async () => {
    const here = place({ keep: false });
    here.write("one", [ask("Tell me about the pangolin")]);
    giveAway(dirname(here.home.root));
    await unprivileged(async () => {
      const sessions = here.open();
      await sessions.sync();
      chmodSync(here.folder, 0o000);
      const { notices, forgotten } = await sessions.sync();
      chmodSync(here.folder, 0o700);
      expect(forgotten).toBe(0);
      expect(notices.join()).toContain("claude-code: EACCES");
      expect(sessions.list()).toMatchObject([{ id: "one", isGone: false }]);
    });
  });

  it("leaves no word behind when a person has forgotten it, and never comes back", async () => {
    const here = place();
    here.write("one", [ask("Tell me about the pangolin"), answer("It has scales.")]);
    here.write("two", [ask("Tell me about the lemur")]);
    const sessions = here.open();
    await sessions.sync();
    sessions.record({ host: CLAUDE, id: "one" });
    sessions.forget({ host: CLAUDE, id: "one" });
    here.append("one", [ask("More of the pangolin")]);
    expect((await sessions.sync()).changed).toBe(0);
    expect(sessions.list().map(({ id }) => id)).toEqual(["two"]);
    sessions.close();
    expect(readFileSync(sessionsIndexPath(here.home), "latin1")).not.toContain("pangolin");
    rmSync(sessionsIndexPath(here.home));
    const anew = here.open();
    await anew.sync();
    expect(anew.list().map(({ id }) => id)).toEqual(["two"]);
  });
});

describe("bad input", () => {
  it("of every kind is reported, and valid input beside it is indexed", async () => {
    const here = place();
    here.write("good", [ask("Tell me about the pangolin")]);
    const line = lineOf("torn", ask("A first request about herons"));
    writeFileSync(here.path("torn"), `${line}{"type": broken}\n{"type":"user","mess`);
    writeFileSync(here.path("empty"), "");
    writeFileSync(here.path("no uuid; rm -rf ~"), lineOf("x", ask("Strange id about\nstorks @@good")));
    const sessions = here.open();
    const { notices, isComplete } = await sessions.sync();
    expect(isComplete).toBe(true);
    expect(notices).toEqual(["claude-code torn: 1 damaged line skipped"]);
    expect(found(sessions, "herons")).toEqual(["torn"]);
    const [strange] = sessions.search("storks").hits;
    expect(strange?.session.name).toBe("Strange id about storks another session");
    expect((await sessions.sync()).changed).toBe(0);
  });

  it("such as a half-written line is read once it is complete", async () => {
    const here = place();
    const second = lineOf("one", ask("A second request about storks"));
    here.write("one", [ask("A first request about herons")]);
    const first = readFileSync(here.path("one"), "utf8");
    writeFileSync(here.path("one"), first + second.slice(0, 40));
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.search("storks").total).toBe(0);
    writeFileSync(here.path("one"), first + second);
    here.touch("one");
    await sessions.sync();
    expect(found(sessions, "storks")).toEqual(["one"]);
    expect(sessions.get({ host: CLAUDE, id: "one" })?.counts.turns).toBe(2);
  });

  it("such as an index that is not a database is set aside and rebuilt", async () => {
    const here = place();
    here.write("one", [ask("Tell me about the pangolin")]);
    const before = here.open();
    await before.sync();
    before.close();
    writeFileSync(sessionsIndexPath(here.home), "no database at all, but long enough to be looked at");
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.list()).toHaveLength(1);
    expect(here.failures.join()).toContain("index-rebuilt");
  });

  it("such as an unreadable file is reported at every sync, and read when it becomes readable", async () => {
    const here = place();
    here.write("one", [ask("Tell me about the pangolin")]);
    giveAway(dirname(here.home.root));
    await unprivileged(async () => {
      chmodSync(here.path("one"), 0o000);
      const sessions = here.open();
      for (let times = 0; times < 2; times++)
        expect((await sessions.sync()).notices.join()).toContain("one: EACCES");
      chmodSync(here.path("one"), 0o600);
      expect((await sessions.sync()).notices).toEqual([]);
      expect(found(sessions, "pangolin")).toEqual(["one"]);
    });
  });

  it("such as a turn of megabytes is bounded: its beginning and end are searchable", async () => {
    const here = place();
    const middle = "filler words in between ".repeat(100_000);
    here.write("one", [ask(`Startword here ${middle} finally endword`)]);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "one" })?.counts.passages).toBeLessThan(20);
    expect(found(sessions, "startword")).toEqual(["one"]);
    expect(found(sessions, "endword")).toEqual(["one"]);
  });
});

describe("children", () => {
  it("are in no list and no search by default, and are known to their parent", async () => {
    const here = place();
    here.write("parent", [ask("Have somebody look at the pangolin")]);
    const child = lineOf("parent", ask("Look at the pangolin closely"), { isSidechain: true, agentId: "a1" });
    const folder = join(here.folder, "parent/subagents");
    rmSync(folder, { recursive: true, force: true });
    const { mkdirSync } = await import("node:fs");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "agent-a1.jsonl"), child);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.list().map(({ id }) => id)).toEqual(["parent"]);
    expect(found(sessions, "pangolin")).toEqual(["parent"]);
    expect(sessions.search("pangolin", { children: true }).total).toBe(2);
    expect(sessions.descendants({ host: CLAUDE, id: "parent" })).toMatchObject([
      { id: "agent-a1", isChild: true },
    ]);
    sessions.forget({ host: CLAUDE, id: "parent" });
    expect(sessions.list({ children: true })).toEqual([]);
  });
});
