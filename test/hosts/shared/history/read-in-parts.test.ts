import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import type { Report, SessionFile, TranscriptReader } from "../../../../src/moments/ports/history.ts";
import type { Turn } from "../../../../src/moments/ports/turn.ts";
import { claudeCodeHistory } from "./histories/claude-code.ts";
import { read } from "./histories/reading.ts";

const said = (text: string) =>
  `${JSON.stringify({ type: "user", uuid: text, message: { role: "user", content: text } })}\n`;

/** Reads until nothing is left, as hooks do that never have time. */
function inParts(reader: TranscriptReader, file: SessionFile) {
  const turns = new Map<string, Turn>();
  const reports: Report[] = [];
  let place: { from: number; isWithin: boolean } = { from: 0, isWithin: false };
  for (let isCut = true; isCut; ) {
    const reading = reader.read(file, { ...place, isOver: () => true });
    for (const turn of reading) turns.set(turn.id, turn);
    const report = reading.report();
    reports.push(report);
    isCut = report.isCut === true;
    if (isCut) expect(report.resumeAt, "each part comes further").toBeGreaterThan(place.from);
    place = { from: report.resumeAt, isWithin: report.isWithin === true };
  }
  const oversized = reports.reduce((sum, report) => sum + report.oversized, 0);
  return { texts: [...turns.values()].map(({ text }) => text), parts: reports.length, oversized, place };
}

function transcript(write: (path: string) => void) {
  const { file, reader } = read(claudeCodeHistory);
  write(file.path);
  return { reader, file: { ...file, size: statSync(file.path).size } };
}

describe("a transcript that is read in parts", () => {
  it("gives all its turns, each part from where the one before stopped", () => {
    const texts = Array.from({ length: 5000 }, (_, i) => `turn ${i} ${"x".repeat(100)}`);
    const { reader, file } = transcript((path) => writeFileSync(path, texts.map(said).join("")));
    const { texts: found, parts } = inParts(reader, file);
    expect(found).toEqual(texts);
    expect(parts).toBeGreaterThan(2);
  });

  it("goes on inside a hole of 50 MB, which counts as one line, and reads what follows it", () => {
    const { reader, file } = transcript((path) => {
      const descriptor = openSync(path, "w");
      writeSync(descriptor, said("before"));
      ftruncateSync(descriptor, 50 * 1024 * 1024);
      closeSync(descriptor);
      appendFileSync(path, `\n${said("after")}`);
    });
    const { texts, parts, oversized } = inParts(reader, file);
    expect(texts).toEqual(["before", "after"]);
    expect(oversized).toBe(1);
    expect(parts).toBeGreaterThan(10);
  });

  it("that ends in a hole is not read again when something is added", () => {
    const { reader, file } = transcript((path) => {
      writeFileSync(path, said("before"));
      const descriptor = openSync(path, "r+");
      ftruncateSync(descriptor, 20 * 1024 * 1024);
      closeSync(descriptor);
    });
    const { place } = inParts(reader, file);
    expect(place).toEqual({ from: file.size, isWithin: true });
    appendFileSync(file.path, `\n${said("after")}`);
    const reading = reader.read(file, place);
    expect([...reading].map(({ text }) => text)).toEqual(["after"]);
    expect(reading.report().oversized).toBe(0);
  });

  it("comes to its end although its lines are thousands of feeds, or no JSON", () => {
    for (const junk of ["\n", "{\n"]) {
      const { reader, file } = transcript((path) => writeFileSync(path, junk.repeat(6_000) + said("after")));
      const { texts, parts } = inParts(reader, file);
      expect(texts).toEqual(["after"]);
      expect(parts).toBeGreaterThan(2);
    }
  });

  it("passes over a line that is nested too deeply, and counts it", () => {
    const deep = `{"type":"user","message":${"[".repeat(300_000)}${"]".repeat(300_000)}}\n`;
    const { reader, file } = transcript((path) => writeFileSync(path, said("before") + deep + said("after")));
    expect(inParts(reader, file)).toMatchObject({ texts: ["before", "after"], oversized: 1 });
  });
});
