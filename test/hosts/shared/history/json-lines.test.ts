import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SessionFile, TranscriptReader } from "../../../../src/moments/ports/history.ts";
import type { Turn } from "../../../../src/moments/ports/turn.ts";
import { compareEdits } from "../../../support/equal-edits.ts";
import { HISTORIES as ALL } from "./histories/all.ts";
import { accounted, read } from "./histories/reading.ts";

compareEdits();

/** What readers of files do with the bytes. OpenCode keeps rows. */
const HISTORIES = ALL.filter(({ file }) => file !== undefined);

describe.each(HISTORIES.map((history) => [history.reader.host, history] as const))(
  "a file of %s",
  (_, history) => {
    const lines = history.file?.lines ?? [];

    it.each([1, 2, 7, 64, 4096])("gives the same turns when it is read %i bytes at a time", (chunkBytes) => {
      const { file, reader, turns } = read(history);
      expect([...reader.read(file, { chunkBytes })]).toEqual(turns);
    });

    it("cut anywhere loses nothing once the rest is written", () => {
      const { file, reader, turns } = read(history);
      const whole = readFileSync(file.path);
      const step = Math.max(1, Math.floor(whole.length / 40));
      // Also right before and behind each line feed.
      const cuts = [...whole.keys()].filter(
        (at) => at > 0 && (at % step === 0 || whole[at] === 0x0a || whole[at - 1] === 0x0a),
      );
      for (const cut of cuts) {
        writeFileSync(file.path, whole.subarray(0, cut));
        const first = readAll(reader, file);
        expect(first.report.damaged, `cut at ${cut}`).toBe(0);
        appendFileSync(file.path, whole.subarray(cut));
        const second = readAll(reader, file, first.report.resumeAt);
        expect(byId([...first.turns, ...second.turns]), `cut at ${cut}`).toEqual(byId(turns));
      }
    });

    it("with rubbish between all its lines tells the same, and counts the rubbish", () => {
      const { file, reader, turns } = read(history);
      const rubbish = ['{"half":', "\u0000\u0001", "[1, 2]", '{"type":"from-the-future","payload":{}}', ""];
      writeFileSync(file.path, lines.flatMap((line) => [...rubbish, line]).join("\n"));
      const { turns: found, report } = readAll(reader, file);
      expect(found.map(withoutPlace)).toEqual(turns.map(withoutPlace));
      expect(report.damaged).toBe(3 * lines.length);
      expect(Object.values(report.unknown)).toEqual([lines.length]);
      expect(accounted(report)).toBe(report.lines);
      expect(report.places.length).toBeGreaterThan(0);
    });

    it("passes over a line that is too long, says where it was, and reads on", () => {
      const { file, reader, turns } = read(history);
      const long = JSON.stringify({ type: "user", text: "x".repeat(300_000) });
      writeFileSync(file.path, `${lines.slice(0, -1).join("\n")}\n${long}\n${lines.at(-1)}\n`);
      const reading = reader.read(file, { maxLineBytes: 100_000, chunkBytes: 1000 });
      expect([...reading].map(withoutPlace)).toEqual(turns.map(withoutPlace));
      const report = reading.report();
      expect(report.oversized).toBe(1);
      expect(report.places).toEqual([Buffer.byteLength(`${lines.slice(0, -1).join("\n")}\n`)]);
    });

    it("with bytes that are no UTF-8 is read, with signs in their place, and says so", () => {
      const { file, reader } = read(history);
      const bytes = readFileSync(file.path);
      bytes[bytes.lastIndexOf("Done.")] = 0xff;
      writeFileSync(file.path, bytes);
      const { turns, report } = readAll(reader, file);
      expect(turns.at(-1)?.text).toBe("\uFFFDone.");
      expect(report).toMatchObject({ notUtf8: 1, damaged: 0 });
    });

    it("that was replaced by another is read from its beginning", () => {
      const { file, reader, turns, report } = read(history);
      for (const from of [report.resumeAt + 3, file.size + 1000, -1, Number.NaN]) {
        const again = readAll(reader, file, from);
        expect(again.report.from).toBe(0);
        expect(again.turns).toEqual(turns);
      }
    });

    it("that is cut short while it is read ends there, without an error", () => {
      const { file, reader, turns } = read(history);
      const found: Turn[] = [];
      for (const turn of reader.read(file, { chunkBytes: 64 })) {
        if (found.length === 0) truncateSync(file.path, 10);
        found.push(turn);
      }
      expect(found.length).toBeLessThan(turns.length);
    });

    it("that may not be read, or has become a folder, is reported", () => {
      const { file, reader } = read(history);
      rmSync(file.path);
      const reading = reader.read({ ...file, path: process.cwd() });
      expect([...reading]).toEqual([]);
      expect(reading.report().failure).toMatch(/not a regular file|EACCES/);
    });
  },
);

function readAll(reader: TranscriptReader, file: SessionFile, from = 0) {
  const reading = reader.read(file, { from });
  const turns = [...reading];
  return { turns, report: reading.report() };
}

/** A turn that comes again, with what was added to it, takes the place of the one before. */
function byId(turns: readonly Turn[]): Map<string, Turn> {
  return new Map(turns.map((turn) => [turn.id, turn]));
}

/** Where a turn stands, and the ids that are made of that where a host gives none. */
function withoutPlace({ offset: _, ...turn }: Turn): object {
  return { ...turn, id: turn.id.replace(/^@\d+/, "@") };
}
