import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { compareEdits } from "../../../support/equal-edits.ts";
import { readerOf } from "../../../support/histories.ts";
import { accounted } from "./histories/reading.ts";

compareEdits();

/** Transcripts of real sessions, which others recorded and we may not copy. */
const data =
  process.env["CONTINUO_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../../../shared/bench");
const folder = join(data, "transcripts");
const files = (["claude-code", "pi"] satisfies string[]).flatMap((host) =>
  existsSync(join(folder, host)) ? readdirSync(join(folder, host)).map((name) => ({ host, name })) : [],
);

describe.skipIf(files.length === 0)(
  `transcripts of real sessions${files.length === 0 ? ` (none in ${folder})` : ""}`,
  () => {
    it.each(files)("$host/$name: no line is lost", ({ host, name }) => {
      const path = join(folder, host, name);
      const file = { host, id: name, path, modified: 0, size: statSync(path).size };
      const reading = readerOf(host).read(file);
      const turns = [...reading];
      const report = reading.report();
      const roles = Object.entries(Object.groupBy(turns, ({ role }) => role)).map(
        ([role, some]) => `${some?.length} ${role}`,
      );
      console.log(`${host}/${name}: ${report.lines} lines, ${report.used} in turns (${roles.join(", ")})`);
      expect(accounted(report)).toBe(report.lines);
      expect(report).toMatchObject({ unknown: {}, damaged: 0, oversized: 0, notUtf8: 0, pending: 0 });
      expect(report.failure).toBeUndefined();
      expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
      const middle = turns[Math.floor(turns.length / 2)];
      if (middle === undefined) return;
      const rest = turns.slice(turns.findIndex(({ offset }) => offset === middle.offset));
      expect([...readerOf(host).read(file, { from: middle.offset, chunkBytes: 1000 })]).toEqual(rest);
    });
  },
);
