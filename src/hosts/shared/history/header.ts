import { statSync } from "node:fs";
import { isSystemError } from "../../../base/errors.ts";
import type { Header, Reach } from "../../../moments/ports/history.ts";
import { type Entry, parseJson } from "./fields.ts";
import { readLines } from "./lines.ts";
import { tailLines } from "./tail.ts";
import { preferred } from "./tally.ts";

const HEAD_BYTES = 128 * 1024;
const HEAD_LINES = 2000;
const TAIL_BYTES = 64 * 1024;
/** Lines in which a session that names its folder has told the rest as well. */
const FEW = 8;

/** A header from the lines at a file's beginning and end: the first word on anything counts, except for the title. */
export function headerFrom(path: string, tell: (entry: Entry) => Header, reach: Reach = "ends"): Header {
  let header: Header = {};
  let count = 0;
  try {
    for (const entry of entriesAtEnds(path)) {
      if (
        reach === "beginning" &&
        ++count > FEW &&
        header.cwd !== undefined &&
        header.startedAt !== undefined
      )
        break;
      const told = tell(entry);
      const title = preferred(header.title, told.title);
      header = { ...told, ...header, ...(title === undefined ? {} : { title }) };
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // it vanished: nothing is known about it any more
  }
  return header;
}

function* entriesAtEnds(path: string): Generator<Entry> {
  let done = 0;
  let lines = 0;
  for (const { text, end } of readLines(path, { chunkBytes: 16 * 1024, isOver: () => true })) {
    const entry = text === undefined ? undefined : parseJson(text);
    if (entry !== undefined) yield entry;
    done = end;
    if (done >= HEAD_BYTES || ++lines >= HEAD_LINES) break;
  }
  const rest = statSync(path).size - done;
  if (rest <= 0) return;
  for (const line of tailLines(path, Math.min(rest, TAIL_BYTES)).reverse()) {
    const entry = parseJson(line);
    if (entry !== undefined) yield entry;
  }
}
