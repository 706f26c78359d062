import { describe, expect, it } from "vitest";
import { geminiReader } from "../../../../src/hosts/gemini/history/reader.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { brief, readLinesAs } from "../../shared/history/histories/lines.ts";

const CHATS = ".gemini/tmp/shop/chats";
const head = {
  sessionId: "333e4662-aaec",
  projectHash: "a",
  startTime: "2026-11-15T12:00:00.000Z",
  kind: "main",
};
const user = (id: string, text: string) => ({ id, type: "user", content: [{ text }] });
const model = (id: string, content: string, more: object = {}) => ({ id, type: "gemini", content, ...more });
const read = (...lines: object[]) =>
  readLinesAs(geminiReader, `${CHATS}/session-2026-11-15T12-00-333e4662.jsonl`, lines);

describe("Gemini's history", () => {
  it("takes a message's newest line, and one that stands only in a line that sets all", () => {
    const { turns, file } = read(
      head,
      { $set: { messages: [user("0", "from an older file"), user("1", "hi")] } },
      user("1", "hi"),
      model("2", ""),
      { $set: { lastUpdated: "x" } },
      model("2", "ho"),
    );
    expect(turns.map(brief)).toEqual(['user "from an older file"', 'user "hi"', 'assistant "ho"']);
    expect(file.id).toBe("333e4662-aaec");
  });

  it("marks what the person went back behind", () => {
    const { turns } = read(
      head,
      user("1", "keep"),
      model("2", "kept"),
      user("3", "regret"),
      model("4", "gone"),
      { $rewindTo: "3" },
      user("5", "instead"),
    );
    expect(turns.map(brief)).toEqual([
      'user "keep"',
      'assistant "kept"',
      'user "regret" otherBranch',
      'assistant "gone" otherBranch',
      'user "instead"',
    ]);
  });

  it("takes the host's summary as the title, from lines and from an old version's document", () => {
    const { report, header } = read(head, user("1", "hi"), model("2", "ho"), { $set: { summary: "Greet" } });
    expect(report.title).toEqual({ text: "Greet", by: "host" });
    expect(header.title).toEqual({ text: "Greet", by: "host" });
    const path = `${CHATS}/session-2026-11-15T12-00-333e4662.json`;
    const old = readLinesAs(geminiReader, path, [{ ...head, summary: "Old", messages: [user("1", "hi")] }]);
    expect([old.report.title, old.header.title]).toEqual(Array(2).fill({ text: "Old", by: "host" }));
  });

  it("finds a session's subagents in its folder", () => {
    const path = `${CHATS}/333e4662-aaec/94c30bc3.jsonl`;
    const { file, turns } = readLinesAs(geminiReader, path, [
      { ...head, kind: "subagent" },
      user("1", "count"),
    ]);
    expect(file).toMatchObject({ id: "94c30bc3", parent: "333e4662-aaec" });
    expect(turns.map(brief)).toEqual(['user "count" sidechain']);
  });

  it("reads the older form, one document, also from a message on, and says when it is broken or too long", () => {
    const home = temporaryFolder();
    const path = `${CHATS}/session-2025-10-01T10-00-abcd1234.json`;
    const result = [{ functionResponse: { id: "c", name: "read_file", response: { output: "text" } } }];
    const call = { id: "c", name: "read_file", args: { absolute_path: "/p/a.ts" }, result };
    const messages = [
      { id: "1", type: "user", content: "hi" },
      model("2", "ho", { toolCalls: [call] }),
      { id: "3", type: "info", content: "note" },
      { id: "4", type: "strange", content: "" },
    ];
    write(home, {
      [path]: JSON.stringify({ sessionId: "abcd1234-full", startTime: "2025-10-01T10:00:00Z", messages }),
    });
    const [file] = geminiReader.discover({ HOME: home });
    expect(file?.id).toBe("abcd1234-full");
    const reading = geminiReader.read(file!);
    expect([...reading].map(brief)).toEqual([
      'user "hi"',
      'assistant "ho"',
      'tool "text"',
      'other "note" machineMade',
    ]);
    expect(reading.report()).toMatchObject({
      lines: 4,
      used: 3,
      unknown: { "message:strange": 1 },
      resumeAt: 3,
    });
    expect([...geminiReader.read(file!, { from: 2 })].map(brief)).toEqual(['other "note" machineMade']);
    const tooLong = geminiReader.read(file!, { maxLineBytes: 10 });
    expect([...tooLong]).toEqual([]);
    expect(tooLong.report().failure).toContain("larger than 10 bytes");
    write(home, { [path]: '{"sessionId":"abcd' });
    const broken = geminiReader.read(file!);
    expect([...broken]).toEqual([]);
    expect(broken.report().failure).toContain("half written");
  });
});
