import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastReads } from "../../../src/sources/notes/decay.ts";
import { temporaryWorld } from "../../support/world.ts";

const DAY = 86_400_000;

describe("the days of the last reads", () => {
  it("are seen by another process, and move with a note", async () => {
    const { home } = temporaryWorld();
    await lastReads(home).recordRead("memory://a", 3 * DAY + 5);
    await lastReads(home).recordMove("memory://a", "memory://b");
    const days = lastReads(home);
    expect(days.lastRead("memory://a")).toBeUndefined();
    expect(days.lastRead("memory://b")).toBe(3 * DAY);
  });

  it("are written once for each note and day", async () => {
    const { home } = temporaryWorld();
    const path = join(home.state, "memory-access.json");
    const days = lastReads(home);
    await days.recordRead("memory://a", 3 * DAY);
    const marked = `${readFileSync(path, "utf8")}\n`; // a write would remove the empty line
    writeFileSync(path, marked);
    await days.recordRead("memory://a", 3 * DAY + 5);
    await days.recordRead("memory://a", 2 * DAY);
    await days.recordMove("memory://unknown", "memory://b");
    expect(readFileSync(path, "utf8")).toBe(marked);
    await days.recordRead("memory://a", 4 * DAY);
    expect(readFileSync(path, "utf8")).toBe('{"memory://a":4}');
  });

  it("lose the oldest when there are too many, and never the newest", async () => {
    const { home } = temporaryWorld();
    const path = join(home.state, "memory-access.json");
    await lastReads(home).recordRead("memory://first", 0);
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`memory://${i}`, i]));
    writeFileSync(path, JSON.stringify(many));
    await lastReads(home).recordRead("memory://new", 30_000 * DAY);
    const kept = JSON.parse(readFileSync(path, "utf8")) as Record<string, number>;
    expect(Object.keys(kept)).toHaveLength(18_000);
    expect(kept).toMatchObject({ "memory://new": 30_000, "memory://19999": 19_999 });
    expect(kept).not.toHaveProperty("memory://0");
  });
});
