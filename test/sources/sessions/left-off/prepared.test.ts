import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findProject } from "../../../../src/moments/project/project.ts";
import { mark, preparedFiles, settle, unprepared } from "../../../support/prepared.ts";
import { write } from "../../../support/world.ts";
import { answer, ask, CLAUDE, lineOf, type TurnText } from "../place.ts";
import { HOUR, NOW, setUp, WORK } from "./set-up.ts";

const OTHER = [ask("Move the build to pnpm"), answer("All packages build with pnpm now.")];

/** A project whose next start is prepared, and whose prepared text says so. */
async function prepared(turns: readonly TurnText[] = WORK, hoursAgo = 2) {
  const made = setUp();
  made.session("one", hoursAgo, turns);
  made.session("two", 30, OTHER);
  (await made.index()).close();
  await settle();
  await made.prepare();
  mark(made.home, "214 tests", "PREPARED tests");
  let starts = 0;
  const next = (cwd?: string) => made.start(`next-${++starts}`, cwd);
  return { ...made, next };
}

describe("the last sessions that are prepared for a start", () => {
  it("are what the start gives, and what it would give without them", async () => {
    const { next, home, failures } = await prepared();
    const text = await next();
    expect(text).toContain("PREPARED tests pass.");
    expect(text).toContain('"Move the build to pnpm"');
    expect(await unprepared(home, next)).toBe(text.replace("PREPARED", "214"));
    expect(failures).toEqual([]);
  });

  it("are given again after a compaction, byte for byte", async () => {
    const { start, engine, moment } = await prepared();
    const text = await start("new");
    expect(text).toContain("PREPARED");
    expect(await engine.at({ name: "compacted", ...moment(), at: NOW + HOUR })).toBe(text);
  });

  it("are there when the index is damaged and no transcript can be listed in time", async () => {
    const { next, home, failures } = await prepared();
    rmSync(join(home.root, "sessions.db"));
    mkdirSync(join(home.root, "sessions.db"));
    expect(await next()).toContain("PREPARED");
    expect(failures).toEqual([]);
  });

  it.each<[string, (made: Awaited<ReturnType<typeof prepared>>) => void]>([
    [
      "a session is new",
      ({ session }) =>
        session("three", 1, [ask("Add a page for refunds"), answer("The page for refunds is there now.")]),
    ],
    [
      "a session went on",
      ({ pathOf }) =>
        appendFileSync(
          pathOf("one"),
          lineOf("one", ask("And add a test for refunds"), { timestamp: new Date(NOW - HOUR).toISOString() }),
        ),
    ],
    [
      "an older session went on",
      ({ pathOf }) =>
        appendFileSync(
          pathOf("two"),
          lineOf("two", answer("The lock file is committed too."), {
            timestamp: new Date(NOW - HOUR).toISOString(),
          }),
        ),
    ],
    ["a transcript was deleted", ({ pathOf }) => rmSync(pathOf("one"))],
    [
      "a session got a title",
      ({ pathOf }) =>
        appendFileSync(
          pathOf("two"),
          `${JSON.stringify({ type: "custom-title", customTitle: "Rounding" })}\n`,
        ),
    ],
    [
      "the host has a folder for another root of the project",
      ({ root, session }) => session("sub", 1, OTHER, join(root, "packages")),
    ],
    ["the settings changed", ({ home }) => write(home.root, { "config.json": "{}" })],
    ["the package has another name", ({ root }) => write(root, { "package.json": '{"name": "shop"}' })],
    [
      "another clone is known",
      ({ home }) => write(home.root, { "projects.json": '{"version":1,"projects":[]}' }),
    ],
    [
      "Codex has a session",
      ({ env }) =>
        write(join(env["HOME"] ?? "", ".codex"), {
          "sessions/2026/11/16/rollout-2026-11-16T11-00-00-x.jsonl": "{}\n",
        }),
    ],
  ])("are not used when %s, and the start is right", async (_, change) => {
    const made = await prepared();
    change(made);
    const text = await made.next();
    expect(text).not.toContain("PREPARED");
    expect(await unprepared(made.home, made.next)).toBe(text);
  });

  it("are not used after a session was renamed or forgotten", async () => {
    for (const change of ["rename", "forget"] as const) {
      const { index, next, home } = await prepared();
      const library = await index();
      if (change === "rename") await library.rename({ host: CLAUDE, id: "one" }, "Rounding of prices");
      else library.forget({ host: CLAUDE, id: "one" });
      library.close();
      const text = await next();
      expect(text).not.toContain("PREPARED");
      expect(text).toContain(change === "rename" ? '"Rounding of prices"' : "pnpm");
      expect(await unprepared(home, next)).toBe(text);
    }
  });

  it("are deleted when a session is forgotten: no word of it stays", async () => {
    const { index, home } = await prepared();
    expect(preparedFiles(home)).toHaveLength(1);
    const library = await index();
    library.forget({ host: CLAUDE, id: "two" });
    library.close();
    expect(preparedFiles(home)).toEqual([]);
  });

  it("are right after what Claude Code writes when a turn is over", async () => {
    const { pathOf, next, home } = await prepared();
    for (const line of [
      { type: "system", subtype: "stop_hook_summary", hookCount: 1 },
      { type: "system", subtype: "turn_duration", durationMs: 900 },
      { type: "cost-state" },
      { type: "file-history-snapshot" },
      { type: "last-prompt", lastPrompt: "x" },
    ])
      appendFileSync(pathOf("one"), `${JSON.stringify(line)}\n`);
    const text = await next();
    expect(text).toContain("PREPARED");
    expect((await unprepared(home, next)).replace("214", "PREPARED")).toBe(text);
  });

  it("are used although the host created the file of the new session before", async () => {
    const { pathOf, start, next } = await prepared();
    const id = "0d5f1c3e-8a7b-4c21-9f00-1234567890ab";
    writeFileSync(pathOf(id), "");
    expect(await start(id)).toContain("PREPARED");
    expect(await next()).not.toContain("PREPARED");
  });

  it("never tell a session about itself", async () => {
    const { start } = await prepared();
    expect(await start("one")).not.toContain("Round the prices");
  });

  it("do not say that a request is in work when it is not any more", async () => {
    const { next, engine, moment } = await prepared([...WORK, ask("Add a test for refunds")], 0.01);
    expect(await next()).toContain("asked last, in progress: Add a test for refunds");
    const later = { ...moment("later"), at: NOW + HOUR };
    expect(await engine.at({ name: "start", ...later })).toContain("asked last, not answered: Add a test");
  });

  it("name uncommitted files as git has them at the start", async () => {
    const made = setUp();
    const { root, session, start, prepare, home, index } = made;
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: root });
    git("init", "-q", "-b", "main");
    write(root, { "cart.ts": "1\n", "src/new.ts": "1\n" });
    git("add", "cart.ts");
    git("commit", "-qm", "one");
    write(root, { "cart.ts": "2\n" });
    const edit = (name: string) => ({ name: "Edit", input: { file_path: join(root, name) } });
    session("one", 2, [
      WORK[0] as TurnText,
      answer("", ["cart.ts", "src/new.ts"].map(edit)),
      answer("The cart rounds half to even now."),
    ]);
    (await index()).close();
    let starts = 0;
    const check = async (expected: string | undefined) => {
      const text = await start(`s-${++starts}`);
      if (expected === undefined) expect(text).not.toContain("uncommitted");
      else expect(text).toContain(`uncommitted: ${expected}\n`);
      expect(await unprepared(home, () => start(`s-${++starts}`))).toBe(text);
      await settle();
      await prepare();
      mark(home, "uncommitted:", "PREPARED uncommitted:");
      if (expected !== undefined) expect(await start(`s-${++starts}`)).toContain("PREPARED uncommitted");
    };
    await check("cart.ts, new.ts");
    git("add", ".");
    git("commit", "-qm", "two");
    await check(undefined);
    git("reset", "-q", "--soft", "HEAD~1");
    await check("cart.ts, new.ts");
    git("checkout", "-q", "-b", "feature");
    git("commit", "-qm", "three");
    await check(undefined);
    write(root, { "src/new.ts": "3\n" });
    await check("new.ts");
    git("rm", "-q", "--cached", "src/new.ts");
    git("commit", "-qm", "four");
    await check("new.ts");
    write(root, { "src/.gitignore": "new.ts\n" });
    await check(undefined);
  });

  it("are made in a hook process only when a session ends", async () => {
    const { session, home, env, moment, config } = setUp();
    session("one", 2, WORK);
    await settle();
    const { sessionsEngine } = await import("../sessions-engine.ts");
    const hook = sessionsEngine({ home, env }, { isOwnProcess: true, config });
    await hook.prepare({ name: "idle", ...moment("ended") }, 60_000);
    expect(preparedFiles(home)).toEqual([]);
    await hook.prepare({ name: "end", why: "exit", ...moment("ended") }, 60_000);
    expect(preparedFiles(home)).toHaveLength(1);
  });

  it("are not stored if there was no time to look at everything", async () => {
    const { session, home, engine, moment } = setUp();
    for (let i = 0; i < 20; i++) session(`s-${i}`, i + 1, WORK);
    await settle();
    await engine.prepare({ name: "end", why: "other", ...moment("ended") }, 0);
    expect(preparedFiles(home)).toEqual([]);
  });

  it("are those of the folder in which the last session began, wherever it went since", async () => {
    const made = setUp();
    const { root, session, engine, home, moment } = made;
    session("one", 2, WORK);
    mkdirSync(join(root, "deep"));
    await made.start("s");
    await settle();
    await engine.prepare({ name: "end", why: "other", ...moment("s"), cwd: join(root, "deep") }, 60_000);
    mark(home, "214 tests", "PREPARED tests");
    expect(await made.start("next")).toContain("PREPARED");
  });

  it("hold no secret, and nothing of another project", async () => {
    const secret = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
    const { home, root, start } = await prepared([
      ask("Rotate the token of the deploy bot"),
      answer(`The token of the deploy bot is ${secret} now.`),
    ]);
    const [name = ""] = preparedFiles(home);
    const stored = readFileSync(join(home.root, "cache", "prepared", name), "utf8");
    expect(stored).toContain("deploy bot");
    expect(stored).not.toContain(secret.slice(0, 20));
    const other = `${root}-other`;
    mkdirSync(other);
    expect(findProject(other).id).toBe(other);
    expect(await start("elsewhere", other)).toBe("");
  });

  it("say nothing where there is nothing to say", async () => {
    const { prepare, start, home } = setUp();
    await prepare();
    expect(preparedFiles(home)).toHaveLength(1);
    expect(await start()).toBe("");
  });

  it("equal the start without them, whatever happened to the sessions", async () => {
    const action = fc.record({
      kind: fc.constantFrom("session", "turn", "delete", "index", "prepare", "quiet"),
      id: fc.constantFrom("a", "b", "c", "d"),
      hoursAgo: fc.integer({ min: 24, max: 60 }),
      text: fc.constantFrom("The cart rounds half to even now.", "Two tests still fail in refund.test.ts."),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 8 }), async (actions) => {
        const { session, pathOf, index, prepare, home, start } = setUp();
        let starts = 0;
        for (const { kind, id, hoursAgo, text } of actions) {
          const timestamp = new Date(NOW - hoursAgo * HOUR).toISOString();
          if (kind === "session") session(id, hoursAgo, [ask(`Work on part ${id}`), answer(text)]);
          if (kind === "turn" || kind === "quiet") {
            mkdirSync(join(pathOf(id), ".."), { recursive: true });
            const line =
              kind === "quiet" ? `{"type":"cost-state"}\n` : lineOf(id, answer(text), { timestamp });
            appendFileSync(pathOf(id), line);
          }
          if (kind === "delete") rmSync(pathOf(id), { force: true });
          if (kind === "index") (await index()).close();
          if (kind === "prepare") {
            await settle();
            await prepare();
          }
          const given = await start(`n-${++starts}`);
          expect(await unprepared(home, () => start(`n-${++starts}`))).toBe(given);
        }
      }),
      { numRuns: 15 },
    );
  });
});
