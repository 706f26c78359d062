import type { Report } from "../../../../../src/moments/ports/history.ts";
import { temporaryFolder } from "../../../../support/world.ts";
import type { History } from "./history.ts";

/** The history in a home of its own, found again as its host's reader finds it. */
export function made(history: History) {
  const home = temporaryFolder();
  history.write(home);
  const { reader } = history;
  const [file, ...others] = reader.discover({ HOME: home });
  if (file === undefined || others.length > 0) throw new Error(`${others.length} other sessions were found`);
  return { home, file, reader };
}

export function read(history: History) {
  const { home, file, reader } = made(history);
  const reading = reader.read(file);
  const turns = [...reading];
  return { home, file, reader, turns, report: reading.report() };
}

export function accounted({ used, passed, unknown, oversized, damaged }: Report): number {
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
  return used + sum(passed) + sum(unknown) + oversized + damaged;
}
