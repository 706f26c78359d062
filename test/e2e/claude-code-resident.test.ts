import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { expectPrefix, marksIn, startResident, until } from "../support/claude-code-resident.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";
import { write } from "../support/world.ts";

const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const missing = typeof found === "object" ? found.skip : hasTmux ? undefined : NO_TMUX;

describe.skipIf(missing !== undefined)(`the server behind the hooks of Claude Code ${CLAUDE_CODE}`, () => {
  it("is started again when it is killed, while idle and in mid-turn, and nobody notices", async () => {
    const host = await startResident();
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([host.read("c.txt"), { text: "one" }]);
    await screen.send("first");
    await screen.answered("one");
    const first = await host.worker();
    process.kill(first, "SIGKILL"); // while idle
    host.replies([host.read("src/a.ts"), host.read("docs/b.md", 1_500), { text: "two" }]);
    await screen.send("the database");
    const second = await host.worker((one) => one !== first);
    await host.toolResults(2);
    process.kill(second, "SIGKILL"); // between two calls
    await screen.answered("two");
    expect(await host.worker((one) => one !== second)).not.toBe(first);
    await screen.leave();
    const requests = host.main();
    expect(requests.map(marksIn)).toEqual([
      { ALWAYS: 1 },
      { ALWAYS: 1 },
      { ALWAYS: 1, WORDS: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1, DOCS: 1 },
    ]);
    expectPrefix(requests);
    expect(host.files(id)).toEqual(["c.txt", "src/a.ts", "docs/b.md"]);
    expect(await host.cli("doctor")).toContain("No problems found: ");
  });

  it("loses nothing while it hangs: what it missed comes with the next hook, once", async () => {
    const host = await startResident({ isPatient: false });
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    for (const [answer, wakes] of [
      ["one", (worker: number) => process.kill(worker, "SIGCONT")],
      ["two", (worker: number) => process.kill(worker, "SIGKILL")],
    ] as const) {
      const before = host.main().length;
      const touched = answer === "one" ? "src/a.ts" : "docs/b.md";
      host.replies([host.read(touched, 1_000), host.read("c.txt", 2_000), { text: answer }]);
      await screen.send("go on");
      await host.requests(before + 1);
      const worker = await host.worker();
      process.kill(worker, "SIGSTOP"); // while the model answers
      await host.requests(before + 2); // the host did not wait for the hook
      wakes(worker);
      await screen.answered(answer);
    }
    await screen.leave();
    const requests = host.main();
    expect(requests.map(marksIn)).toEqual([
      { ALWAYS: 1 },
      { ALWAYS: 1 },
      { ALWAYS: 1, FILES: 1 },
      { ALWAYS: 1, FILES: 1 },
      { ALWAYS: 1, FILES: 1 },
      { ALWAYS: 1, FILES: 1, DOCS: 1 },
    ]);
    expectPrefix(requests);
    expect([...host.files(id)].sort()).toEqual(["c.txt", "docs/b.md", "src/a.ts"]);
    const given = host.ledger().filter((entry) => entry["kind"] === "delivered");
    expect(given.filter((entry) => JSON.stringify(entry).includes("rules/files.md"))).toHaveLength(1);
  });

  it("may hang at a prompt: the host says so, and what the prompt asked for comes with the next hook", async () => {
    const host = await startResident({ isPatient: false });
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([{ text: "one" }, host.read("c.txt", 1_000), { text: "two" }]);
    await screen.send("first");
    await screen.answered("one");
    const worker = await host.worker();
    process.kill(worker, "SIGSTOP");
    await screen.send("the database");
    await host.requests(2); // as after a command that hangs, the host has said that the hook timed out
    process.kill(worker, "SIGCONT");
    expect(await screen.answered("two")).not.toContain("hook error");
    await screen.leave(true);
    expect(host.main().map(marksIn)).toEqual([{ ALWAYS: 1 }, { ALWAYS: 1 }, { ALWAYS: 1, WORDS: 1 }]);
  });

  it("sees rules, notes and settings that change while it runs", async () => {
    const host = await startResident();
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([{ text: "one" }, { text: "two" }, { text: "three" }]);
    await screen.send("first");
    await screen.answered("one");
    const worker = await host.worker();
    const memory = ".continuo/memory";
    write(host.home, {
      [`${memory}/quokka.md`]: "# Quokka ledger\n\nNOTE-ONE: the quokka ledger is [[append-only]].",
    });
    write(host.project, { ".continuo/rules/docs.md": "RULE-DOCS stands." });
    await screen.send("how does the quokka ledger work");
    await screen.answered("two");
    write(host.home, {
      [`${memory}/wombat.md`]: "# Wombat ledger\n\nNOTE-TWO: the wombat ledger is [[mutable]].",
      ".continuo/config.json": JSON.stringify({
        momentDeadlineMs: 15_000,
        sources: { memory: { additions: false } },
      }),
    });
    await screen.send("how does the wombat ledger work");
    await screen.answered("three");
    expect(await host.worker()).toBe(worker);
    await screen.leave();
    const requests = host.main();
    expect(requests.map(marksIn)).toEqual([{ ALWAYS: 1 }, { ALWAYS: 1, DOCS: 1 }, { ALWAYS: 1, DOCS: 1 }]);
    const notes = (request: (typeof requests)[number]) => request.raw.match(/NOTE-(ONE|TWO)/g) ?? [];
    expect(requests.map(notes)).toEqual([[], ["NOTE-ONE"], ["NOTE-ONE"]]);
    expectPrefix(requests);
  });

  it("may be late at a first prompt: it is answered once", async () => {
    const host = await startResident();
    host.startServerLate(2);
    host.replies([host.read("src/a.ts"), { text: "one" }]);
    const screen = await host.screen("--session-id", randomUUID(), "the database");
    await screen.answered("one");
    await screen.leave();
    const requests = host.main();
    expect(requests.map(marksIn)).toEqual([
      { ALWAYS: 1, WORDS: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1 },
    ]);
    expectPrefix(requests);
  });

  it("may be switched off in mid-session: commands take its place at once", async () => {
    const host = await startResident();
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([host.read("c.txt"), { text: "one" }]);
    await screen.send("first");
    await screen.answered("one");
    await screen.send("/mcp disable continuo");
    await screen.until(/Turned off MCP server "continuo"/);
    await until(() => (host.callsServer() ? undefined : true));
    await sleep(RELOAD_MS);
    host.replies([host.read("src/a.ts"), { text: "two" }]);
    await screen.send("the database");
    await screen.answered("two");
    await screen.leave();
    const requests = host.main();
    expect(requests.map(marksIn)).toEqual([
      { ALWAYS: 1 },
      { ALWAYS: 1 },
      { ALWAYS: 1, WORDS: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1 },
    ]);
    expectPrefix(requests.slice(0, 2));
    expectPrefix(requests.slice(2)); // in between the host took the server's tools from the model
    expect(host.files(id)).toEqual(["c.txt", "src/a.ts"]);
  });

  it("may be gone for good, because the shell was killed that would start it again: after one prompt commands take its place", async () => {
    const host = await startResident();
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([{ text: "one" }]);
    await screen.send("first");
    await screen.answered("one");
    process.kill(host.shell(), "SIGKILL");
    await until(() => (host.marks().includes("ended\n") ? true : undefined)); // its pipes are closed
    host.replies([{ text: "two" }]);
    await screen.send("second");
    await screen.answered("two");
    await screen.until(/its MCP server does not run, so its hooks start processes/);
    expect(host.callsServer()).toBe(false);
    await sleep(RELOAD_MS);
    await screen.send("/clear"); // takes the error of the second prompt from the screen
    await sleep(RELOAD_MS);
    host.replies([host.read("src/a.ts"), { text: "three" }]);
    await screen.send("the database");
    expect(await screen.answered("three")).not.toContain("not connected");
    await screen.leave(true);
    expect(host.main().slice(-2).map(marksIn)).toEqual([
      { ALWAYS: 1, WORDS: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1 },
    ]);
    // Nothing has to be done: the next session has the server again.
    await host.run("hello", { sessionId: randomUUID() });
    expect(host.callsServer()).toBe(true);
  });

  it("may be left out by --strict-mcp-config: commands take its place from the start", async () => {
    const host = await startResident();
    const id = randomUUID();
    const screen = await host.screen("--session-id", id, "--strict-mcp-config");
    await screen.until(/\n❯/);
    await until(() => (host.callsServer() ? undefined : true));
    await sleep(RELOAD_MS);
    host.replies([host.read("src/a.ts"), { text: "one" }]);
    await screen.send("the database");
    await screen.answered("one");
    await screen.leave();
    expect(host.main().map(marksIn)).toEqual([
      { ALWAYS: 1, WORDS: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1 },
    ]);
    expect(host.files(id)).toEqual(["src/a.ts"]);
    // The next session that has the server uses it again.
    await host.run("hello", { sessionId: randomUUID() });
    expect(host.callsServer()).toBe(true);
  });

  it("may hang while the session is compacted: the next epoch begins without it, with what it missed", async () => {
    const host = await startResident({ isPatient: false });
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([host.read("c.txt"), host.read("src/a.ts", 1_000), { text: "one" }]);
    await screen.send("first");
    await host.requests(2);
    process.kill(await host.worker(), "SIGSTOP");
    await screen.answered("one");
    await screen.send("/compact");
    await screen.until(/Compacted/);
    process.kill(await host.worker(), "SIGCONT");
    host.replies([{ text: "two" }]);
    await screen.send("and on");
    await screen.answered("two");
    await screen.leave();
    const requests = host.main();
    expect(marksIn(requests.at(-1))).toEqual({ ALWAYS: 1, FILES: 1 });
    expect(host.state(id)).toMatchObject({ epoch: 2, begunBy: "compacted" });
    expect(host.files(id)).toEqual(["c.txt", "src/a.ts"]);
  });
});

/** The program reads changed settings within a second. */
const RELOAD_MS = 2_000;
