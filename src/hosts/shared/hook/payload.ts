import { read } from "node:fs";
import { withDeadline } from "../../../base/deadline.ts";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { isRecord, isRefusedJson, parseBounded } from "../../../base/json.ts";
import { fromUtf8 } from "../../../base/text.ts";
import { MAX_PAYLOAD_BYTES, type Payload } from "../fields.ts";

const HINT = "agents call this command, with JSON on standard input";

export function parsePayload(bytes: Uint8Array): Payload {
  if (bytes.length === 0)
    throw new ContinuoError("payload-empty", "there was nothing on standard input", { hint: HINT });
  const text = fromUtf8(bytes)?.replace(/^\ufeff/, "");
  if (text === undefined)
    throw new ContinuoError("payload-not-utf8", "the payload is not UTF-8 text", { hint: HINT });
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch (error) {
    if (isRefusedJson(error))
      throw new ContinuoError("payload-too-complex", `the payload was not read: ${error.message}`, {
        hint: "nothing to do: the agent was not affected",
      });
    // V8 quotes the text in its message, and the text may be private, so only the position is kept.
    const position = /position \d+/.exec((error as Error).message)?.[0] ?? "its end";
    throw new ContinuoError("payload-not-json", `the payload is not valid JSON at ${position}`, {
      hint: HINT,
    });
  }
  if (!isRecord(value))
    throw new ContinuoError("payload-not-object", "the payload is not a JSON object", { hint: HINT });
  return value;
}

export interface Reading {
  /** Whether a read is pending. */
  isWaiting: boolean;
}

/**
 * Reads a file descriptor to its end, within a size and a deadline. Excess input is read but not kept. Not
 * `process.stdin`: for a pipe it loads the network modules, which costs every hook several milliseconds.
 */
export async function readPayload(
  descriptor: number,
  deadlineMs: number,
  reading: Reading = { isWaiting: false },
): Promise<Payload> {
  const late = () =>
    new ContinuoError("payload-late", `no complete payload within ${deadlineMs} ms`, { hint: HINT });
  return parsePayload(await withDeadline(deadlineMs, late, () => readToEnd(descriptor, reading)));
}

function readToEnd(descriptor: number, reading: Reading): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const next = () => {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      reading.isWaiting = true;
      read(descriptor, chunk, 0, chunk.length, null, (error, got) => {
        reading.isWaiting = false;
        const code = systemCode(error);
        if (code === "EAGAIN") return void setTimeout(next, 5); // a terminal, or a non-blocking pipe
        if (error !== null && code !== "EOF") return reject(error);
        if (error !== null || got === 0) return finish();
        size += got;
        if (size <= MAX_PAYLOAD_BYTES) chunks.push(chunk.subarray(0, got));
        next();
      });
    };
    const finish = () => {
      if (size <= MAX_PAYLOAD_BYTES) return resolve(Buffer.concat(chunks));
      const message = `the payload has ${size} bytes; ${MAX_PAYLOAD_BYTES} are read at most`;
      reject(
        new ContinuoError("payload-too-large", message, {
          hint: "nothing to do: the agent was not affected",
        }),
      );
    };
    next();
  });
}
