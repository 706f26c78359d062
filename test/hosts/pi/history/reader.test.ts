import { describe, expect, it } from "vitest";
import { piReader } from "../../../../src/hosts/pi/history/reader.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { brief, readLinesAs } from "../../shared/history/histories/lines.ts";

const PATH = ".pi/agent/sessions/--p--/2026-11-15T12-00-00-000Z_chosen-id.jsonl";
const header = {
  type: "session",
  version: 3,
  id: "chosen-id",
  timestamp: "2026-11-15T12:00:00.000Z",
  cwd: "/p",
};
const said = (id: string, parentId: string | null, role: string, text: string) => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-11-15T12:00:01.000Z",
  message: { role, content: [{ type: "text", text }] },
});
const read = (...lines: object[]) => readLinesAs(piReader, PATH, lines);

describe("pi's history", () => {
  it("marks abandoned branches and reports their ranges", () => {
    const { turns, report } = read(
      header,
      said("a", null, "user", "one"),
      said("b", "a", "assistant", "answer"),
      said("c", "b", "user", "wrong way"),
      said("d", "c", "assistant", "oh"),
      { type: "branch_summary", id: "e", parentId: "b", fromId: "d", summary: "The wrong way was wrong." },
      said("f", "e", "user", "right way"),
    );
    expect(turns.map(brief)).toEqual([
      'user "one"',
      'assistant "answer"',
      'user "wrong way" otherBranch',
      'assistant "oh" otherBranch',
      'summary "The wrong way was wrong."',
      'user "right way"',
    ]);
    const wrong = turns.filter((turn) => turn.marks.otherBranch);
    expect(report.otherBranches).toEqual([{ from: wrong[0]?.offset, to: turns[4]?.offset }]);
  });

  it("follows a branch of a branch back to the root, and back to one that was abandoned before", () => {
    const { turns } = read(
      header,
      said("a", null, "user", "a"),
      said("b", "a", "user", "b"),
      said("c", "b", "user", "c"),
      said("x", "a", "user", "x"),
      said("y", "x", "user", "y"),
      said("d", "b", "user", "d"),
    );
    expect(turns.filter((turn) => !turn.marks.otherBranch).map(({ text }) => text)).toEqual(["a", "b", "d"]);
  });

  it("takes everything before a second root for another branch", () => {
    const { turns } = read(header, said("a", null, "user", "a"), said("b", null, "user", "b"));
    expect(turns.map(brief)).toEqual(['user "a" otherBranch', 'user "b"']);
  });

  it("does not lose the way where a line is damaged", () => {
    const folder = temporaryFolder();
    const lines = [header, said("a", null, "user", "a"), said("c", "lost", "user", "c")].map((line) =>
      JSON.stringify(line),
    );
    write(folder, { [PATH]: [lines[0], lines[1], '{"type":"message","id":"lo', lines[2]].join("\n") });
    const [file] = piReader.discover({ HOME: folder });
    const reading = piReader.read(file!);
    expect([...reading].map(brief)).toEqual(['user "a"', 'user "c"']);
    expect(reading.report().damaged).toBe(1);
  });

  it("reads the first version, which has no ids: one branch, ids from the places, and where it was branched from", () => {
    const bare = (role: string, text: string) => ({ type: "message", message: { role, content: text } });
    const { turns, header: told } = read(
      {
        type: "session",
        id: "x",
        cwd: "/p",
        timestamp: "2025-12-09T00:53:29.825Z",
        branchedFrom: "/old.jsonl",
      },
      bare("user", "hi"),
      bare("assistant", "ho"),
    );
    expect(turns.map(brief)).toEqual(['user "hi"', 'assistant "ho"']);
    expect(turns.every(({ id, offset }) => id === `@${offset}`)).toBe(true);
    expect(told).toMatchObject({ cwd: "/p", forkOf: "/old.jsonl" });
  });

  it("takes the newest name, wherever in the file it stands", () => {
    const name = (id: string, parentId: string, text: string) => ({
      type: "session_info",
      id,
      parentId,
      name: text,
    });
    const { report } = read(
      header,
      said("a", null, "user", "a"),
      name("b", "a", "First"),
      name("c", "b", "Second"),
    );
    expect(report.title).toEqual({ text: "Second", by: "person" });
  });

  it("knows a name that we gave by the note behind it, and a person's that came later", () => {
    const name = (id: string, text: string) => ({ type: "session_info", id, parentId: null, name: text });
    const note = (named: string) => ({ type: "custom", customType: "continuo", id: "n", data: { named } });
    const ours = [header, said("a", null, "user", "a"), name("b", "A model's"), note("b")];
    const first = read(...ours);
    expect(first.report.title).toEqual({ text: "A model's", by: "host" });
    expect(first.header.title).toEqual({ text: "A model's", by: "host" });
    expect(read(...ours, name("c", "Mine")).report.title).toEqual({ text: "Mine", by: "person" });
    expect(read(...ours, name("c", "Mine"), note("b")).report.title).toEqual({ text: "Mine", by: "person" });
  });

  it("marks what extensions told the model, and not as ours when it is another's", () => {
    const custom = (customType: string) => ({
      type: "custom_message",
      id: customType,
      customType,
      content: "context",
    });
    const { turns } = read(header, custom("session-reference"), custom("continuo"));
    expect(turns.map(brief)).toEqual(['other "context" injected', 'other "context" injected ours']);
  });
});
