import { describe, expect, it } from "vitest";
import { opencodeReader } from "../../../../src/hosts/opencode/history/reader.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { brief } from "../../shared/history/histories/lines.ts";
import {
  addMessage,
  addSession,
  databaseBelow,
  fill,
  openBelow,
  opencodeHistory,
} from "../../shared/history/histories/opencode.ts";

const START = 1_794_746_108_000;

describe("OpenCode's history", () => {
  it("is read while the host has it open and writes, and the rest from where it stopped", () => {
    const home = temporaryFolder();
    const db = openBelow(home);
    try {
      fill(db);
      const [file] = opencodeReader.discover({ HOME: home });
      const reading = opencodeReader.read(file!);
      const before = [...reading];
      const { resumeAt } = reading.report();
      addMessage(db, file!.id, 8, { role: "user" }, [{ type: "text", text: "and now?" }]);
      const after = [...opencodeReader.read(file!, { from: resumeAt })];
      expect(after.map(({ text }) => text)).toEqual(["Done.", "and now?"]);
      expect([...opencodeReader.read(file!)]).toEqual([...before, after.at(-1)]);
    } finally {
      db.close();
    }
  });

  it("marks a subagent's session, and in a fork what it has from its origin", () => {
    const home = temporaryFolder();
    const db = openBelow(home);
    fill(db);
    addSession(db, "ses_child", opencodeHistory.session, START);
    addMessage(db, "ses_child", 1, { role: "user" }, [{ type: "text", text: "count" }]);
    addSession(db, "ses_fork", null, START + 30_000);
    addMessage(db, "ses_fork", 10, { role: "user" }, [{ type: "text", text: "old" }]);
    addMessage(db, "ses_fork", 40, { role: "user" }, [{ type: "text", text: "new" }]);
    db.close();
    const files = new Map(opencodeReader.discover({ HOME: home }).map((file) => [file.id, file]));
    expect(files.get("ses_child")?.parent).toBe(opencodeHistory.session);
    expect([...opencodeReader.read(files.get("ses_child")!)].map(brief)).toEqual(['user "count" sidechain']);
    expect([...opencodeReader.read(files.get("ses_fork")!)].map(brief)).toEqual([
      'user "old" copied',
      'user "new"',
    ]);
  });

  it("counts rows that are damaged, too long or of unknown types, and reads the others", () => {
    const home = temporaryFolder();
    const db = openBelow(home);
    fill(db);
    const parts = [
      "{not json",
      { type: "hologram" },
      { type: "text", text: "x".repeat(5000) },
      { type: "text", text: "fine" },
    ];
    addMessage(db, opencodeHistory.session, 9, { role: "user" }, parts);
    db.close();
    const [file] = opencodeReader.discover({ HOME: home });
    const reading = opencodeReader.read(file!, { maxLineBytes: 4000 });
    expect([...reading].at(-1)?.text).toBe("fine");
    expect(reading.report()).toMatchObject({ damaged: 1, oversized: 1, unknown: { "part:hologram": 1 } });
  });

  it("reads a long session a page at a time, in the host's order", () => {
    const home = temporaryFolder();
    const db = openBelow(home);
    fill(db);
    for (let n = 100; n < 200; n++)
      addMessage(db, opencodeHistory.session, n, { role: "user" }, [{ type: "text", text: `${n}` }]);
    db.close();
    const [file] = opencodeReader.discover({ HOME: home });
    const texts = [...opencodeReader.read(file!)].map(({ text }) => text).slice(-100);
    expect(texts).toEqual(Array.from({ length: 100 }, (_, n) => `${n + 100}`));
  });

  it("reports a file that is not a database, or not OpenCode's, and goes on", () => {
    for (const content of ["this is not a database, but long enough to be looked at", ""]) {
      const home = temporaryFolder();
      write(home, { ".local/share/opencode/opencode.db": content });
      const failures: string[] = [];
      expect(
        opencodeReader.discover({ HOME: home }, { onFailure: (reason) => failures.push(reason) }),
      ).toEqual([]);
      expect(failures).toHaveLength(1);
      const path = databaseBelow(home);
      const reading = opencodeReader.read({
        host: "opencode",
        id: "x",
        key: "x",
        path,
        modified: 0,
        size: 0,
      });
      expect([...reading]).toEqual([]);
      expect(reading.report().failure).toBeTypeOf("string");
    }
  });

  it("has nothing to read of a host that keeps its history in memory", () => {
    expect(opencodeReader.discover({ HOME: temporaryFolder(), OPENCODE_DB: ":memory:" })).toEqual([]);
  });
});
