import { join } from "node:path";
import type { TranscriptReader } from "../../../../../src/moments/ports/history.ts";
import type { Turn } from "../../../../../src/moments/ports/turn.ts";
import { temporaryFolder, write } from "../../../../support/world.ts";

/** Reads lines as if a host had written them; `path` is where it would have, below a user's home. */
export function readLinesAs(reader: TranscriptReader, path: string, lines: readonly object[]) {
  const home = temporaryFolder();
  write(home, { [path]: lines.map((line) => `${JSON.stringify(line)}\n`).join("") });
  const file = reader.discover({ HOME: home }).find((one) => one.path === join(home, path));
  if (file === undefined) throw new Error(`${path} was not found`);
  const reading = reader.read(file);
  const turns = [...reading];
  return { home, file, turns, report: reading.report(), header: reader.headerOf(file) };
}

/** A turn in short: its role, its text, and what is marked. */
export function brief({ role, text, marks }: Turn): string {
  return [role, JSON.stringify(text), ...Object.keys(marks).sort()].join(" ");
}
