import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Values } from "../../../src/base/settings.ts";
import { type Memory, openMemory } from "../../../src/sources/notes/memory.ts";
import { readHealth } from "../../../src/store/health.ts";
import { homeAt } from "../../../src/store/home.ts";

const DAY_MS = 86_400_000;
let base: string;
let memory: Memory;
let now: number;

function open(settings: Values = {}, syncMs = 10_000): Memory {
  return openMemory({
    home: homeAt(join(base, "home")),
    env: { HOME: join(base, "user") },
    settings,
    now: () => now,
    syncMs,
  });
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "continuo-memory-"));
  now = Date.now();
  memory = open();
});

afterEach(() => {
  memory.close();
  rmSync(base, { recursive: true, force: true });
});

const accessFile = () => join(base, "home", "state", "memory-access.json");

describe("a memory without a folder", () => {
  test("returns nothing and creates no file", async () => {
    expect((await memory.search({ query: "sqlite" })).hits).toEqual([]);
    expect(await memory.recent()).toEqual([]);
    expect((await memory.buildContext({ conceptName: "SQLite" })).concept).toBe("sqlite");
    expect(existsSync(join(base, "home"))).toBe(false);
  });
});

describe("a memory with notes", () => {
  test("finds what was just written, edited or moved, and not what was deleted", async () => {
    await memory.write({ title: "Locks", content: "A lock guards the [[ledger]].", folder: "tech" });
    expect((await memory.search({ query: "lock guards" })).hits.map(({ uri }) => uri)).toEqual([
      "memory://tech/locks",
    ]);
    await memory.edit("memory://tech/locks", {
      operation: "append",
      content: "It waits for a [[semaphore]] too.",
    });
    const context = await memory.buildContext({ conceptName: "ledger" });
    expect(context.direct.map(({ name }) => name)).toEqual(["semaphore"]);
    await memory.move("memory://tech/locks", "done/locks");
    expect((await memory.recent()).map(({ uri, concepts }) => ({ uri, concepts }))).toEqual([
      { uri: "memory://done/locks", concepts: ["ledger", "semaphore"] },
    ]);
    await memory.delete("memory://done/locks", true);
    expect((await memory.search({ query: "lock guards" })).total).toBe(0);
  });

  test("indexes a note that was edited through a link only once, like a sync", async () => {
    const { path } = await memory.write({ title: "Locks", content: "A lock guards the [[ledger]]." });
    symlinkSync("locks.md", join(path, "../link.md"));
    await memory.edit("memory://link", { operation: "append", content: "And a [[semaphore]]." });
    expect((await memory.search({ query: "semaphore" })).hits.map(({ uri }) => uri)).toEqual([
      "memory://locks",
    ]);
  });

  test("finds a note that an editor changed in place a moment ago", async () => {
    const { path } = await memory.write({ title: "Plan", content: "Use [[sqlite]]." });
    await memory.search({ query: "sqlite" });
    writeFileSync(path, readFileSync(path, "utf8").replace("sqlite", "postgresql"));
    expect((await memory.search({ query: "postgresql" })).total).toBe(1);
    expect((await memory.search({ query: "sqlite" })).total).toBe(0);
  });

  test("also reads another program's folder, and does not write there", async () => {
    const vault = join(base, "Vault");
    mkdirSync(join(vault, ".obsidian"), { recursive: true });
    writeFileSync(join(vault, "Daily.md"), "Met about the [[ledger]] and [[billing]].");
    memory = open({ also: [vault] });
    await memory.write({ title: "Ledger", content: "The [[ledger]] has [[entries]]." });
    expect((await memory.search({ query: "ledger" })).hits.map(({ uri }) => uri)).toEqual([
      "memory://ledger",
      "memory://@vault/Daily",
    ]);
    expect((await memory.search({ query: "ledger", folder: "@vault" })).total).toBe(1);
    const context = await memory.buildContext({ conceptName: "ledger" });
    expect(context.direct.map(({ name }) => name)).toEqual(["billing", "entries"]);
    expect(memory.list("@vault").notes).toHaveLength(1);
    await expect(memory.delete("memory://@vault/Daily", true)).rejects.toMatchObject({
      code: "note-read-only",
    });
  });
});

describe("a title that search shows", () => {
  test("identifies its note where the file has another name, also in another case", async () => {
    const folder = join(base, "home/memory");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "2026-11-01-adr.md"), "# Why CI/CD  runs in Zürich\n\nBecause.");
    const [hit] = (await memory.search({ query: "why zurich" })).hits;
    for (const title of [hit?.title ?? "", "why ci/cd runs in Zu\u0308rich"]) {
      expect((await memory.read(title)).uri).toBe("memory://2026-11-01-adr");
      expect(memory.locate(title).path).toBe(join(folder, "2026-11-01-adr.md"));
    }
    await memory.edit("Why CI/CD runs in Zürich", { operation: "append", content: "And [[cost]]." });
    expect((await memory.search({ query: "cost" })).total).toBe(1);
  });

  test("that two notes have is ambiguous, and the file name wins", async () => {
    const folder = join(base, "home/memory");
    mkdirSync(folder, { recursive: true });
    for (const name of ["one", "two"]) writeFileSync(join(folder, `${name}.md`), "# Plan\n\nText.");
    await memory.search({ query: "plan" });
    await expect(memory.read("Plan")).rejects.toMatchObject({ code: "note-ambiguous" });
    writeFileSync(join(folder, "plan.md"), "# Another\n\nText.");
    expect((await memory.read("Plan")).uri).toBe("memory://plan");
  });
});

describe("reading a note", () => {
  test("makes it fresh again, writes once a day, and survives deleting the index", async () => {
    await memory.write({ title: "Old", content: "[[ledger]] and [[journal]]" });
    now += 100 * DAY_MS;
    const weight = async () =>
      (await memory.buildContext({ conceptName: "ledger" })).direct[0]?.decayWeight ?? 0;
    expect(await weight()).toBeLessThan(0.2);
    await memory.read("Old");
    expect(await weight()).toBe(1);
    const first = readFileSync(accessFile(), "utf8");
    rmSync(accessFile());
    await memory.read("Old");
    expect(existsSync(accessFile()), "a second reading of the day wrote again").toBe(false);
    writeFileSync(accessFile(), first);
    memory.close();
    for (const name of readdirSync(join(base, "home"))) {
      if (name.startsWith("memory-")) rmSync(join(base, "home", name), { recursive: true });
    }
    memory = open();
    expect(await weight()).toBe(1);
    await memory.move("Old", "kept/old");
    expect(await weight()).toBe(1);
  });
});

describe("a note that cannot be read", () => {
  test("is left out of a context and recorded; one that is gone is not recorded", async () => {
    await memory.write({ title: "Broken", content: "[[ledger]] with [[races]]" });
    const { path } = await memory.write({ title: "Gone", content: "[[ledger]] with [[locks]]" });
    await memory.write({ title: "Whole", content: "[[ledger]] with [[files]]" });
    await memory.sync();
    rmSync(path);
    const broken = path.replace(/gone\.md$/, "broken.md");
    rmSync(broken);
    symlinkSync(broken, broken);
    const unsynced = open({}, 0);
    const asked = { conceptName: "ledger", includeContent: true };
    const texts = JSON.stringify(await unsynced.buildContext(asked));
    unsynced.close();
    expect(texts).toContain("with [[files]]");
    const { records } = readHealth(homeAt(join(base, "home")).logs);
    expect(records.map(({ where, message }) => [where, message.includes("broken.md")])).toEqual([
      ["notes", true],
    ]);
  });
});
