import { createHash } from "node:crypto";
import { readSync } from "node:fs";

/** How far a file has been indexed, and what the bytes just before that point were. */
export interface Position {
  readonly offset: number;
  readonly tail: string;
}

export interface Line {
  readonly offset: number;
  readonly text: string;
}

export interface Slice {
  readonly lines: readonly Line[];
  readonly malformed: number;
  readonly next: Position;
}

/**
 * Enough to hold the last line whole, with its time and session. A file that was cut and written on to the same
 * length is then told from one that only grew, without reading it all.
 */
const TAIL_BYTES = 16 * 1024;

/** No line of ours comes near it; what does is damage (a run of zeros) and must not be held in memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

const NEWLINE = 0x0a;

export const BEGINNING: Position = { offset: 0, tail: fingerprint(Buffer.alloc(0)) };

/**
 * The whole lines after `position`, about `sliceBytes` of them, at least one; "end" when there is none yet;
 * "rewritten" when the bytes before are not those that were indexed.
 */
export function readSlice(fd: number, position: Position, sliceBytes: number): Slice | "end" | "rewritten" {
  const { offset } = position;
  const before = Math.min(offset, TAIL_BYTES);
  // One read for checking and for taking, so that both see the same file.
  const window = readAt(fd, offset - before, before + sliceBytes);
  if (window.length < before || fingerprint(window.subarray(0, before)) !== position.tail) return "rewritten";
  const fresh = window.subarray(before);
  const end = fresh.lastIndexOf(NEWLINE) + 1;
  if (end === 0) {
    if (fresh.length < sliceBytes) return "end";
    if (sliceBytes < LONGEST_LINE) return readSlice(fd, position, sliceBytes * 4);
    return skipLongLine(fd, offset + sliceBytes, sliceBytes);
  }
  const tail = window.subarray(Math.max(0, before + end - TAIL_BYTES), before + end);
  return {
    lines: splitLines(fresh.subarray(0, end), offset),
    malformed: 0,
    next: { offset: offset + end, tail: fingerprint(tail) },
  };
}

function splitLines(bytes: Buffer, offset: number): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push({ offset: offset + start, text: bytes.toString("utf8", start, end) });
    start = end + 1;
  }
  return lines;
}

function skipLongLine(fd: number, from: number, sliceBytes: number): Slice | "end" {
  for (let at = from; ; at += sliceBytes) {
    const bytes = readAt(fd, at, sliceBytes);
    const found = bytes.indexOf(NEWLINE);
    if (found >= 0) return { lines: [], malformed: 1, next: positionAt(fd, at + found + 1) };
    if (bytes.length < sliceBytes) return "end";
  }
}

function positionAt(fd: number, offset: number): Position {
  const before = Math.min(offset, TAIL_BYTES);
  return { offset, tail: fingerprint(readAt(fd, offset - before, before)) };
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function fingerprint(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
