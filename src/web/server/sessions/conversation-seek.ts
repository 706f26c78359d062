import { closeSync } from "node:fs";
import { isSystemError } from "../../../base/errors.ts";
import { othersFirst } from "../../../base/slices.ts";
import { isPlace } from "../../../moments/ports/turn.ts";
import { openFile, readAt } from "../../../store/read-file.ts";
import type { Place, Transcripts } from "./conversation-pages.ts";

const CHUNK_BYTES = 1024 * 1024;
/** Lines that contain an id are its own, its children's, and those that quote it. */
const MOST_LINES = 50;
/** If bytes cannot be searched, the session is read until the turn comes, for at most this long. */
const MOST_MS = 3000;
const SLICE_MS = 20;

/** The place of a turn; undefined if it is not found. */
export async function seek({ reader, files }: Transcripts, id: string): Promise<Place | undefined> {
  for (const [file, one] of files.entries()) {
    const isLines = one.key === undefined && one.path.endsWith(".jsonl");
    const starts = isLines ? await linesWith(one.path, id) : [0];
    for (const from of starts) {
      const began = performance.now();
      let slice = began;
      let seen = 0;
      for (const turn of reader.read(one, { from })) {
        if (turn.id === id) return { file, offset: turn.offset };
        // A line has few turns; only if reading began at the beginning may the turn be far.
        if (isLines && ++seen >= 20) break;
        if (performance.now() - began > MOST_MS) break;
        if (performance.now() - slice > SLICE_MS) {
          await othersFirst();
          slice = performance.now();
        }
      }
    }
  }
  return undefined;
}

/** The offsets of lines that contain a turn's id. Searches bytes, so a large file takes only a moment. */
async function linesWith(path: string, id: string): Promise<number[]> {
  if (isPlace(id)) return [Number(id.slice(1).replace(/\D.*$/, "")) || 0];
  // Readers derive ids of turns without their own from their neighbours' ids.
  const own = id.replace(/^call:/, "").replace(/:(?:text|injected|output)$/, "");
  const needle = Buffer.from(JSON.stringify(own).slice(0, 500));
  const starts: number[] = [];
  try {
    const { descriptor, stats } = openFile(path);
    try {
      let line = 0;
      for (let position = 0; position < stats.size && starts.length < MOST_LINES; position += CHUNK_BYTES) {
        const bytes = readAt(
          descriptor,
          position,
          Math.min(CHUNK_BYTES + needle.length, stats.size - position),
        );
        for (let hit = bytes.indexOf(needle); hit !== -1; hit = bytes.indexOf(needle, hit + 1)) {
          const feed = hit === 0 ? -1 : bytes.lastIndexOf(0x0a, hit - 1);
          const start = feed === -1 ? line : position + feed + 1;
          if (starts.at(-1) !== start && starts.length < MOST_LINES) starts.push(start);
        }
        const last = bytes.subarray(0, CHUNK_BYTES).lastIndexOf(0x0a);
        if (last !== -1) line = position + last + 1;
        await othersFirst();
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error; // it was deleted, so nothing is found in it
  }
  return starts;
}
