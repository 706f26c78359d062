import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Turn } from "../../../../src/moments/ports/turn.ts";
import { compareEdits } from "../../../support/equal-edits.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { HISTORIES } from "./histories/all.ts";
import { CONVERSATION, CWD } from "./histories/history.ts";
import { accounted, made, read } from "./histories/reading.ts";

compareEdits();

/** What every reader of a history has to do, whatever the host keeps it in. */
describe.each(HISTORIES.map((history) => [history.reader.host, history] as const))(
  "the reader of %s",
  (_, history) => {
    it("finds the session, and tells its folder, its start and its name from its header", () => {
      const { file, reader } = made(history);
      expect(file).toMatchObject({ host: reader.host, id: history.session });
      expect(file.size).toBeGreaterThan(0);
      expect(file.modified).toBeGreaterThan(0);
      const header = reader.headerOf(file);
      expect(header.cwd).toBe(CWD);
      expect(header.startedAt).toBeTypeOf("number");
      // Neither Codex nor Gemini keeps a name with the conversation.
      if (!["codex", "gemini"].includes(reader.host)) expect(header.title?.text).toBe("Rounding");
    });

    it("finds the newest sessions of a project, with their folder, and none of another project", () => {
      const { home, file, reader } = made(history);
      const asked: string[] = [];
      const query = {
        roots: [CWD],
        isOfProject: (cwd: string) => asked.push(cwd) > 0 && cwd === CWD,
        ...{ limit: 3, mostOpened: 10, isOver: () => false },
      };
      expect(reader.recent({ HOME: home }, query)).toEqual([{ ...file, cwd: CWD }]);
      expect(asked).toContain(CWD);
      expect(reader.recent({ HOME: home }, { ...query, isOfProject: () => false })).toEqual([]);
      expect(reader.recent({ HOME: temporaryFolder() }, query)).toEqual([]);
    });

    it("reads the end of the conversation alone", () => {
      const { file, reader } = made(history);
      const tail = [...reader.read(file, { tailBytes: file.key === undefined ? 1_000 : 1 })];
      expect(conversation(tail).at(-1)).toEqual(CONVERSATION.at(-1));
      const whole = [...reader.read(file, { tailBytes: 10_000_000 })];
      expect(conversation(whole)).toEqual(CONVERSATION);
      if (file.key === undefined && !file.path.endsWith(".json"))
        expect(tail.length).toBeLessThan(whole.length);
    });

    it("tells the same conversation as every other: who said what, in order", () => {
      const { turns } = read(history);
      expect(conversation(turns)).toEqual(CONVERSATION);
    });

    it("tells which file a tool call read, which answer belongs to it, what it cost and what was thought", () => {
      const { turns } = read(history);
      const calling = turns.find((turn) => turn.calls.length > 0);
      expect(calling?.calls).toHaveLength(1);
      expect(calling?.calls[0]?.files).toEqual([{ path: "src/round.ts", access: "read" }]);
      expect(calling?.thinking).toContain("Look for it.");
      expect(calling?.usage).toEqual({ input: 10, output: 5, cacheRead: 3, cacheWrite: expect.any(Number) });
      expect(calling?.model).toBeTypeOf("string");
      const answer = turns.find((turn) => turn.role === "tool");
      expect(answer?.answers[0]?.call).toBe(calling?.calls[0]?.id);
    });

    it("marks what is ours and the compaction, and leaves our words in nobody's mouth", () => {
      const { turns } = read(history);
      const ours = turns.filter((turn) => turn.marks.ours);
      expect(ours).toHaveLength(1);
      expect(ours[0]).toMatchObject({ marks: { injected: true } });
      expect(ours[0]?.injected).toContain("MARK-OURS");
      expect(turns.filter((turn) => turn.text.includes("MARK-OURS"))).toEqual([]);
      expect(turns.filter((turn) => turn.marks.compaction).map((turn) => turn.role)).toEqual(["summary"]);
    });

    it("goes on at the offset of any turn with that turn and all that follow", () => {
      const { file, reader, turns } = read(history);
      for (const { offset } of turns) {
        const rest = turns.slice(turns.findIndex((turn) => turn.offset === offset));
        expect([...reader.read(file, { from: offset })]).toEqual(rest);
      }
    });

    it("reads what comes before any turn, and nothing from there on", () => {
      const { file, reader, turns } = read(history);
      for (const { offset } of turns) {
        const earlier = turns.slice(
          0,
          turns.findIndex((turn) => turn.offset === offset),
        );
        expect([...reader.read(file, { before: offset })]).toEqual(earlier);
        expect([...reader.read(file, { before: offset, tailBytes: 10_000_000 })]).toEqual(earlier);
      }
    });

    it("gives every turn an id of its own, the same at every reading", () => {
      const { file, reader, turns } = read(history);
      expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
      expect([...reader.read(file)]).toEqual(turns);
    });

    it("accounts for every line: used, passed over, unknown, too long or damaged", () => {
      const { report } = read(history);
      expect(accounted(report)).toBe(report.lines);
      expect(report).toMatchObject({ unknown: {}, damaged: 0, oversized: 0, notUtf8: 0, pending: 0 });
    });

    it("says so when the history is gone, and when there never was one", () => {
      const { home, file, reader } = made(history);
      rmSync(file.path);
      const reading = reader.read(file);
      expect([...reading]).toEqual([]);
      expect(reading.report().failure).toBeTypeOf("string");
      expect(reader.headerOf(file)).not.toHaveProperty("id");
      expect(reader.discover({ HOME: home })).toEqual([]);
      expect(reader.discover({ HOME: temporaryFolder() })).toEqual([]);
    });
  },
);

function conversation(turns: readonly Turn[]): (readonly [string, string])[] {
  return turns
    .filter(({ role, marks }) => role !== "other" && !marks.machineMade && !marks.injected)
    .map(({ role, text }) => [role, text.replaceAll(/<\/?state_snapshot>/g, "")] as const);
}
