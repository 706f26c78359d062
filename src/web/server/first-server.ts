import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { Home } from "../../store/home.ts";
import { readTextIfAny } from "../../store/read-file.ts";
import { isRunning } from "../../store/running.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import { CONTROL, isSame, proofOf } from "./control.ts";

/** The server of this home, according to its file. */
interface ServerMark {
  readonly pid: number;
  readonly port: number;
  readonly secret: string;
}

const Mark = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  secret: v.pipe(v.string(), v.minLength(20), v.maxLength(100)),
});

function markPath(home: Home): string {
  return join(home.root, "web.json");
}

export function readMark(home: Home): ServerMark | undefined {
  try {
    const text = readTextIfAny(markPath(home), { maxBytes: 4096 });
    const read = v.safeParse(Mark, text === undefined ? undefined : JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined; // damaged or not a file: the next server replaces it
  }
}

export function writeMark(home: Home, mark: ServerMark): void {
  writeFileAtomic(markPath(home), `${JSON.stringify(mark)}\n`, { mode: 0o600, durable: false });
}

/** Removes it, unless another server has replaced it. */
export function removeMark(home: Home, secret: string): void {
  if (readMark(home)?.secret === secret) rmSync(markPath(home), { force: true });
}

/** Long enough for a busy machine; otherwise a server on this machine answers at once. */
export const ANSWER_MS = 8000;
const MAX_ANSWER_BYTES = 4096;

/**
 * Asks the running server for a new link; undefined if it has ended, or something else uses its port. A server that
 * only hangs is not replaced, because it has chats and open pages.
 */
export async function askForLink({ pid, port, secret }: ServerMark): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  const nonce = randomBytes(16).toString("base64url");
  const origin = `http://127.0.0.1:${port}`;
  try {
    const answer = await fetch(`${origin}${CONTROL}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ nonce, proof: proofOf(secret, "ask", nonce) }),
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const given: unknown = JSON.parse(await boundedText(answer));
    if (!isRecord(given) || typeof given["link"] !== "string" || typeof given["proof"] !== "string")
      return undefined;
    const isOurs = isSame(given["proof"], proofOf(secret, "answer", nonce, given["link"]));
    return isOurs && given["link"].startsWith(`${origin}/`) ? given["link"] : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError" && isRunning(pid))
      throw doesNotAnswer(pid, port);
    return undefined; // nothing listens there, or not this server
  }
}

function doesNotAnswer(pid: number, port: number): ContinuoError {
  return new ContinuoError(
    "web-stuck",
    `the page's server (process ${pid}, port ${port}) runs but does not answer`,
    { hint: `wait and try again, or end it with \`kill ${pid}\` (\`kill -9 ${pid}\` if it is stopped)` },
  );
}

async function boundedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
