import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { eachOccurrence } from "../../../../src/search/postings.ts";
import { listsOf } from "../../../../src/search/segment.ts";
import { openSessionsIndex, sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
import { packed, unitById } from "../../../../src/sources/sessions/indexing/units.ts";
import type { Sessions } from "../../../../src/sources/sessions/library.ts";
import { makeFolder } from "../../../../src/store/folder.ts";
import type { Home } from "../../../../src/store/home.ts";
import { storedVectors } from "../../../search/vectors/stored.ts";
import { wordMeaning } from "../../../search/vectors/word-meaning.ts";
import { childScript, finished } from "../../../support/child.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

/**
 * Made by the code of 0.1.0 (commit 7f61bf0): six sessions of 61 passages whose transcripts were deleted afterwards. One
 * was renamed to "quarry visit". Each edited a file, `sluice0.ts` to `sluice5.ts`.
 */
const OLD = gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/index-0.1.0.db.gz")));

const meaning = wordMeaning();
const withOldIndex = () => {
  const here = place({ meaning: () => meaning });
  makeFolder(here.home.root);
  writeFileSync(sessionsIndexPath(here.home), OLD);
  return here;
};

/** What a person finds: sessions, names, passages, and by words, files and names. */
function found(sessions: Sessions): object {
  const total = (query: string): number => sessions.search(query, { limit: 50 }).total;
  return {
    list: sessions.list().map(({ id, name, isGone, counts }) => ({ id, name, isGone, counts })),
    passages: sessions.list().map((session) => sessions.allPassages(session).map(({ text }) => text)),
    totals: ["willow", "garden2", "bed29", "sluice1", "quarry", "nothing"].map(total),
  };
}

/** By unit, what is stored of its vectors. */
function vectorsIn(home: Home): Map<number, string[]> {
  const db = openSessionsIndex({ path: sessionsIndexPath(home) });
  const vectors = storedVectors(db);
  db.close();
  return vectors;
}

/** In how many passages or heads a term is. */
function passagesWith(home: Home, term: string): number {
  const db = openSessionsIndex({ path: sessionsIndexPath(home) });
  let count = 0;
  for (const list of listsOf(db, Buffer.from(term)).values()) eachOccurrence(list, () => count++);
  db.close();
  return count;
}

/** As a version with other tables for words would leave it. */
function withOtherTextTables(home: Home): void {
  const db = openSessionsIndex({ path: sessionsIndexPath(home) });
  const row = db.get<{ fingerprint: string }>("SELECT fingerprint FROM shape");
  db.run("UPDATE shape SET fingerprint = ?", [`${row?.fingerprint.split(" ")[0]} other`]);
  db.exec("DROP TABLE posting; DROP TABLE text_vectors; CREATE TABLE text_other (a)");
  db.close();
}

describe("an index of sessions that 0.1.0 made", () => {
  it("keeps sessions whose transcripts are gone, and finds them again after a sync, with vectors", async () => {
    const here = withOldIndex();
    const sessions = here.open();
    expect(sessions.list()).toHaveLength(6);
    expect(sessions.list().every(({ isGone }) => isGone)).toBe(true);
    expect(await sessions.sync()).toMatchObject({ isComplete: true });
    expect(found(sessions)).toMatchObject({ totals: [6, 1, 6, 1, 1, 0] });
    expect(sessions.search("quarry").hits[0]?.session.name).toBe("quarry visit");
    expect(here.failures).toEqual([]);
    expect(passagesWith(here.home, "orchard")).toBe(6); // their branch
    const states = [...vectorsIn(here.home).values()].flat().map((one) => one.split(" ")[0]);
    expect(states.filter((one) => one === "words-1")).toHaveLength(6 * 61);
    expect(states.filter((one) => one === "")).toHaveLength(6); // the heads
  });

  it("is filled in slices, by several connections at once, while other sessions are added", async () => {
    const here = withOldIndex();
    const whole = withOldIndex();
    here.write("new", [ask("Where is the kingfisher?"), answer("At the weir")]);
    whole.write("new", [ask("Where is the kingfisher?"), answer("At the weir")]);
    const alone = whole.open();
    await alone.sync();
    const both = [here.open(), here.open()];
    const slices = await Promise.all(
      both.map(async (sessions) => {
        let count = 1;
        while (!(await sessions.sync({ sliceMs: -1 })).isComplete) count++;
        return count;
      }),
    );
    expect(Math.max(...slices)).toBeGreaterThan(1);
    for (const sessions of both) {
      expect(found(sessions)).toMatchObject({ totals: [6, 1, 6, 1, 1, 0] });
      expect(sessions.search("kingfisher").total).toBe(1);
    }
    const valuesOf = (home: Home) => [...vectorsIn(home).values()].flat().sort();
    expect(valuesOf(here.home)).toEqual(valuesOf(whole.home));
  });

  it("is continued after a process was killed while it was filled", async () => {
    const here = withOldIndex();
    const script = await childScript(
      temporaryFolder(),
      `
      import { loadHistory } from "./src/hosts/index.ts";
      import { openSessions } from "./src/sources/sessions/library.ts";
      import { homeAt } from "./src/store/home.ts";
      const sessions = openSessions({ home: homeAt(process.env.CONTINUO_HOME), env: process.env, history: await loadHistory(), meaning: () => undefined });
      for (;;) { process.stdout.write("."); await sessions.sync({ sliceMs: -1 }); }
      `,
    );
    const child = spawn(process.execPath, [script], { env: here.env });
    child.stdout.on("data", () => child.kill("SIGKILL"));
    await finished(child);
    const sessions = here.open();
    await sessions.sync();
    expect(found(sessions)).toMatchObject({ totals: [6, 1, 6, 1, 1, 0] });
    expect([...vectorsIn(here.home).values()].flat()).not.toContain("pending");
  });
});

describe("other tables for words", () => {
  it("are filled from the stored units; everything else stays", async () => {
    const here = withOldIndex();
    const first = here.open();
    await first.sync();
    const before = found(first);
    const vectors = vectorsIn(here.home);
    first.close();
    withOtherTextTables(here.home);
    const sessions = here.open();
    expect(sessions.list()).toHaveLength(6);
    expect(sessions.search("willow").total).toBe(0);
    await sessions.sync();
    expect(found(sessions)).toEqual(before);
    expect(vectorsIn(here.home)).toEqual(vectors);
    const db = openSessionsIndex({ path: sessionsIndexPath(here.home) });
    expect(db.get("SELECT 1 FROM sqlite_schema WHERE name = 'text_other'")).toBeUndefined();
    db.close();
  });

  it("are filled after more is redacted, and what is stored is redacted again, also of a session that is gone", async () => {
    const here = place({ meaning: () => meaning });
    here.write("heron", [ask("Look at the heron with SECRET"), answer("It is grey")]);
    const first = here.open();
    await first.sync();
    first.close();
    rmSync(here.path("heron"));
    const secret = `ghp_${"h3R0n".repeat(7)}x`;
    const db = openSessionsIndex({ path: sessionsIndexPath(here.home) });
    for (const { id } of db.all<{ id: number }>("SELECT id FROM unit")) {
      const texts = unitById(db, id)?.passages ?? [];
      const before = texts.map(
        ([turn, kind, at, text]) => [turn, kind, at, text.replace("SECRET", secret)] as const,
      );
      db.run("UPDATE unit SET data = ? WHERE id = ?", [packed(before), id]);
    }
    db.run("UPDATE session SET name = ?", [`heron ${secret}`]);
    db.close();
    withOtherTextTables(here.home);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.search("heron").total).toBe(1);
    expect(JSON.stringify(found(sessions))).not.toContain(secret);
    expect(JSON.stringify(found(sessions))).toContain("Look at the heron with [redacted");
  });

  it("do not bring back what is forgotten before they are filled, and let a session be continued", async () => {
    const here = place({ meaning: () => meaning });
    here.write("heron", [ask("Look at the heron"), answer("It is grey")]);
    here.write("otter", [ask("Look at the otter"), answer("It is brown")]);
    const first = here.open();
    await first.sync();
    first.close();
    withOtherTextTables(here.home);
    here.append("heron", [ask("And the egret?")]);
    const sessions = here.open();
    sessions.forget({ host: CLAUDE, id: "otter" });
    await sessions.sync();
    expect(["heron", "egret", "otter"].map((word) => sessions.search(word).total)).toEqual([1, 1, 0]);
    expect(sessions.list()).toHaveLength(1);
  });

  it("with any other table changed too, the index is emptied and filled from the transcripts", async () => {
    const here = place({ meaning: () => meaning });
    here.write("heron", [ask("Look at the heron"), answer("It is grey")]);
    here.write("otter", [ask("Look at the otter"), answer("It is brown")]);
    const first = here.open();
    await first.sync();
    first.close();
    rmSync(here.path("otter"));
    const db = openSessionsIndex({ path: sessionsIndexPath(here.home) });
    db.run("UPDATE shape SET fingerprint = 'other ' || fingerprint");
    db.close();
    const sessions = here.open();
    expect(sessions.list()).toEqual([]);
    await sessions.sync();
    expect(["heron", "otter"].map((word) => sessions.search(word).total)).toEqual([1, 0]);
  });
});

describe("the vectors of sessions", () => {
  it("are made as sessions are indexed, but not of turns that are copies", async () => {
    const here = place({ meaning: () => meaning });
    here.write("first", [ask("Look at the heron", "t1"), answer("It is grey")]);
    here.open();
    const sessions = here.open();
    await sessions.sync();
    here.write("fork", [ask("Look at the heron", "t1"), answer("It is blue")]);
    await sessions.sync();
    const states = [...vectorsIn(here.home).values()].map((unit) => unit.map((one) => one.split(" ")[0]));
    // The heads of both, the unit of the first, and that of the fork, which begins with a copy.
    expect(states).toEqual(expect.arrayContaining([[""], [""], ["words-1", "words-1"], ["", "words-1"]]));
  });

  it("are made again with another table, and pending without one", async () => {
    const here = withOldIndex();
    const bare = here.open({ meaning: () => undefined });
    expect(await bare.sync()).toMatchObject({ isComplete: true });
    expect(new Set([...vectorsIn(here.home).values()].flat())).toEqual(new Set(["pending"]));
    for (const version of ["words-1", "words-2"]) {
      const sessions = here.open({ meaning: () => wordMeaning(version) });
      let slices = 1;
      while (!(await sessions.sync({ sliceMs: -1 })).isComplete) slices++;
      expect(slices).toBeGreaterThan(1);
      const states = [...vectorsIn(here.home).values()].flat().map((one) => one.split(" ")[0]);
      expect(new Set(states)).toEqual(new Set(["", version]));
    }
  });
});
