import { isSystemError, systemCode } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import type { Header, Reading, ReadOptions } from "../../../moments/ports/history.ts";
import { readText } from "../../../store/read-file.ts";
import { listAt, parseJson, present, textAt, timeOf } from "../../shared/history/fields.ts";
import { MAX_LINE_BYTES } from "../../shared/history/lines.ts";
import { createTally } from "../../shared/history/tally.ts";
import type { Place } from "../../shared/history/turns.ts";
import { parsedMessage, titleIn } from "./parser.ts";

/** What is read of a session's end. */
const TAIL_MESSAGES = 50;

/**
 * A chat of older versions: one JSON document that the host rewrote each time. Offsets are positions in its list of
 * messages. The whole document is held in memory, so a document longer than the longest line is reported, not read.
 */
export function readWhole(path: string, place: Place, options: ReadOptions): Reading {
  let tally = createTally();
  return {
    report: () => tally.report(),
    *[Symbol.iterator]() {
      tally = createTally();
      const document = load(path, options.maxLineBytes ?? MAX_LINE_BYTES);
      if (typeof document === "string") return tally.failed(document);
      const messages = document["messages"];
      const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
      const list = all.slice(0, options.before);
      const asked = options.tailBytes === undefined ? (options.from ?? 0) : list.length - TAIL_MESSAGES;
      const from = asked >= 0 && asked <= list.length ? asked : 0;
      tally.began(from);
      const title = titleIn(document);
      if (title !== undefined) tally.titled(title);
      for (const [index, message] of [...list.entries()].slice(from)) {
        tally.line();
        const parsed = isRecord(message) ? parsedMessage(message, index, place) : undefined;
        if (parsed === undefined) tally.damaged(index);
        else if ("unknown" in parsed) tally.unknown(parsed.unknown);
        else if ("passed" in parsed) tally.passed(parsed.passed);
        else if ("turns" in parsed) {
          tally.used();
          yield* parsed.turns;
        }
        // The host may still extend the last message.
        tally.resumeAt(index);
      }
    },
  };
}

export function wholeHeader(path: string): Header {
  const document = load(path, MAX_LINE_BYTES);
  if (typeof document === "string") return {};
  const first = listAt(document, "messages")[0];
  const startedAt = timeOf(document["startTime"]) ?? timeOf(first?.["timestamp"]);
  return present({ id: textAt(document, "sessionId"), startedAt, title: titleIn(document) });
}

/** The document, or the reason why it cannot be read. */
function load(path: string, maxBytes: number): Record<string, unknown> | string {
  try {
    return parseJson(readText(path, { maxBytes })) ?? `${path} is not a JSON document, or half written`;
  } catch (error) {
    if (systemCode(error) === "too-large")
      return `${path} is larger than ${maxBytes} bytes and must be read at once`;
    if (isSystemError(error)) return error.message;
    throw error;
  }
}
