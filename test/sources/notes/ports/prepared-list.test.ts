import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import { memory } from "../../../../src/sources/notes/ports/source.ts";
import type { Home } from "../../../../src/store/home.ts";
import { engineWorld } from "../../../support/engine.ts";
import { mark, preparedFiles, settle, unprepared } from "../../../support/prepared.ts";
import { configFor, write } from "../../../support/world.ts";

const note = (title: string, text: string, project = "project") =>
  `---\nproject: ${project}\n---\n# ${title}\n\n${text}\n`;
const NOTES = {
  "tech/ledger.md": note("Ledger", "We decided to keep the ledger in append-only files."),
  "tech/locks.md": note("Locks", "A lock file must guard the ledger against two writers."),
  "other/soup.md": note("Soup", "Always boil the leek first.", "kitchen"),
};
const PATIENT = { sourceDeadlineMs: 30_000, momentDeadlineMs: 60_000 };

/** A world whose next start is prepared, and whose prepared list says so. */
async function prepared(notes: Record<string, string> = NOTES, settings: Record<string, unknown> = {}) {
  const made = engineWorld([memory], {
    ...PATIENT,
    sources: { memory: { ...configFor([memory]).sources["memory"], ...settings } as never },
  });
  const folder = join(made.home.root, "memory");
  write(folder, notes);
  // A start indexes only what it has time for, and no test may depend on that.
  const sync = async () => {
    const all = openMemory({ home: made.home, env: made.env, settings: {} });
    await all.sync();
    all.close();
  };
  await settle();
  await sync();
  await made.prepare();
  mark(made.home, "append-only", "PREPARED");
  let starts = 0;
  const next = async () => {
    await sync();
    return made.start(`next-${++starts}`);
  };
  const prepare = async (more: Parameters<typeof made.prepare>[0] = {}) => {
    await sync();
    await made.prepare(more);
  };
  return { ...made, folder, next, prepare };
}

/** As most editors do. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

describe("the list of notes that is prepared for a start", () => {
  test("is deleted when a note is deleted: no word of it stays", async () => {
    const { home, env } = await prepared();
    expect(preparedFiles(home)).toHaveLength(1);
    const all = openMemory({ home, env, settings: {} });
    await all.delete("memory://tech/ledger", true);
    all.close();
    expect(preparedFiles(home)).toEqual([]);
  });

  test("is what the start gives, and what it would give without it", async () => {
    const { next, home, trouble } = await prepared();
    const text = await next();
    expect(text).toContain("Ledger: We decided to keep the ledger in PREPARED files");
    expect(text).toContain("- Locks: ");
    expect(text).not.toContain("Soup");
    expect(await unprepared(home, next)).toBe(text.replace("PREPARED", "append-only"));
    expect(trouble).toEqual([]);
  });

  test("is remembered by the session as if it had been made at the start", async () => {
    const { next, home, start } = await prepared();
    await next();
    await unprepared(home, () => start("other"));
    expect(memoOf(home, "next-1")).toEqual(memoOf(home, "other"));
    expect(memoOf(home, "other")).toMatchObject({ told: [expect.any(String), expect.any(String)] });
  });

  test("is there when the index is missing, damaged or locked", async () => {
    const { start, home, trouble } = await prepared();
    for (const name of readdirSync(home.root).filter((one) => /^memory-.*\.db/.test(one))) {
      rmSync(join(home.root, name), { recursive: true });
      mkdirSync(join(home.root, name)); // cannot be opened, by nobody
    }
    expect(await start("next")).toContain("PREPARED");
    expect(trouble).toEqual([]);
    expect(await unprepared(home, () => start("later"))).not.toContain("Ledger");
  });

  test.each<[string, (folder: string, root: string, home: string) => void]>([
    [
      "a shown note changed in place",
      (at) => writeFileSync(join(at, "tech/locks.md"), note("Locks", "No lock is needed, we decided so.")),
    ],
    [
      "a note was replaced",
      (at) => replace(join(at, "other/soup.md"), note("Soup", "We must serve it hot.")),
    ],
    [
      "a note is new",
      (at) => writeFileSync(join(at, "tech/new.md"), note("News", "We decided on a new queue.")),
    ],
    [
      "a note is new in a new folder",
      (at) => write(at, { "fresh/new.md": note("News", "We decided on a queue.") }),
    ],
    ["a shown note was deleted", (at) => rmSync(join(at, "tech/ledger.md"))],
    ["a folder was moved", (at) => renameSync(join(at, "tech"), join(at, "moved"))],
    ["the project has another name", (_, root) => write(root, { "package.json": '{"name": "kitchen"}' })],
    ["the settings changed", (_at, _root, home) => write(home, { "config.json": "{}" })],
    [
      "a note was read",
      (_at, _root, home) => write(home, { "state/memory-access.json": '{"memory://tech/locks":20000}' }),
    ],
  ])("is not used when %s, and the start is right", async (_, change) => {
    const { next, home, folder, root } = await prepared();
    change(folder, root, home.root);
    const text = await next();
    expect(text).not.toContain("PREPARED");
    expect(await unprepared(home, next)).toBe(text);
  });

  test("is not used with other settings or another folder of notes", async () => {
    const { home, env, root, project } = await prepared();
    const ask = (settings: Record<string, unknown>, more: NodeJS.ProcessEnv = {}, cwd = root) =>
      engineWorld(
        [memory],
        {
          ...PATIENT,
          sources: { memory: { ...configFor([memory]).sources["memory"], ...settings } as never },
        },
        { home, env: { ...env, ...more }, root: cwd, project },
      ).start(`s-${JSON.stringify([settings, more, cwd])}`);
    expect(await ask({})).toContain("PREPARED");
    expect(await ask({ additions: false })).not.toContain("PREPARED");
    expect(await ask({ sessionStart: false })).toBe("");
    write(home.root, { "elsewhere/memory/one.md": note("One", "We decided to keep one append-only list.") });
    expect(await ask({}, { MAENIFOLD_ROOT: join(home.root, "elsewhere") })).toContain("One: ");
  });

  test("is the project's own: another project does not get it", async () => {
    const { home, env } = await prepared();
    const other = join(home.root, "..", "other");
    mkdirSync(other);
    const theirs = engineWorld([memory], PATIENT, {
      home,
      env,
      root: other,
      project: { id: other, root: other, label: "other" },
    });
    expect(await theirs.start("theirs")).not.toContain("Ledger");
  });

  test("costs no tokens where there is nothing to say", async () => {
    const { next, home } = await prepared({ "other/soup.md": NOTES["other/soup.md"] });
    expect(preparedFiles(home)).toHaveLength(1);
    expect(await next()).toBe("");
  });

  test("is made again only if it is not right any more", async () => {
    const { prepare, home, folder, next } = await prepared();
    await prepare();
    expect(await next()).toContain("PREPARED");
    writeFileSync(join(folder, "tech/new.md"), note("News", "We decided on a new queue."));
    await settle();
    await prepare();
    expect(await next()).toContain("News");
    expect(await unprepared(home, next)).toContain("News");
  });

  test("has no secret in it", async () => {
    const secret = `ghp_${"x7Kq9LmZ2vRt4WpY".repeat(3).slice(0, 36)}`;
    const { home } = await prepared({
      "a.md": note("Token", `We decided to use the token ${secret} for releases.`),
    });
    expect(storedIn(home)).toContain("Token");
    expect(storedIn(home)).not.toContain(secret);
  });

  test("is not made for a subagent, and nothing is lost where it cannot be stored", async () => {
    const { prepare, home, next } = await prepared();
    rmSync(join(home.root, "cache"), { recursive: true });
    await prepare({ session: { host: "claude-code", id: "child", parent: "s1" } });
    expect(preparedFiles(home)).toEqual([]);
    mkdirSync(join(home.root, "cache"));
    writeFileSync(join(home.root, "cache", "prepared"), "in the way");
    await prepare();
    expect(await next()).toContain("append-only");
  });

  test("does not outlive what time does to the order of notes", async () => {
    const { folder, home, prepare, next } = await prepared();
    // The value of what was changed lately halves in a week: these change places within hours.
    const days = (n: number) => Date.now() / 1000 - n * 86_400;
    utimesSync(join(folder, "tech/ledger.md"), days(29.9), days(29.9));
    await settle();
    await prepare();
    expect(JSON.parse(storedIn(home)).until).toBeLessThanOrEqual(Date.now() + 7 * 86_400_000);
    expect(await unprepared(home, next)).toBe(await next());
  });

  test("equals the start without it, whatever was done to the notes", async () => {
    const titles = ["Ledger", "Locks", "Queue", "Cache", "Soup"];
    const action = fc.record({
      kind: fc.constantFrom("write", "delete", "prepare", "move"),
      at: fc.constantFrom("", "tech/", "deep/er/"),
      title: fc.constantFrom(...titles),
      text: fc.constantFrom(
        "We decided to keep it.",
        "It must never be removed.",
        "Nothing to see here at all.",
      ),
      project: fc.constantFrom("project", "kitchen", "none"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 8 }), async (actions) => {
        const { folder, home, prepare, next } = await prepared({});
        for (const { kind, at, title, text, project } of actions) {
          const path = join(folder, at, `${title.toLowerCase()}.md`);
          mkdirSync(join(folder, at), { recursive: true });
          if (kind === "write") replace(path, note(title, text, project));
          if (kind === "delete") rmSync(path, { force: true });
          if (kind === "move" && readdirSync(join(folder, at)).includes(`${title.toLowerCase()}.md`))
            renameSync(path, join(folder, `moved-${title}.md`));
          if (kind === "prepare") {
            await settle();
            await prepare();
          }
          const text1 = await next();
          expect(await unprepared(home, next)).toBe(text1);
        }
      }),
      { numRuns: 12 },
    );
  });
});

function storedIn(home: Home): string {
  const [name = ""] = preparedFiles(home);
  return readFileSync(join(home.root, "cache", "prepared", name), "utf8");
}

function memoOf(home: Home, id: string): unknown {
  return JSON.parse(readFileSync(join(home.state, "claude-code", `${id}.json`), "utf8")).memos.memory;
}
