import { isSystemError, systemCode } from "../../../base/errors.ts";
import { isRecord } from "../../../base/settings.ts";
import type { Header, Reading, ReadOptions } from "../../../moments/ports/history.ts";
import { readText } from "../../../store/read-file.ts";
import { listAt, parseJson, textAt, timeOf } from "../../shared/history/fields.ts";
import { MAX_LINE_BYTES } from "../../shared/history/lines.ts";
import { createTally } from "../../shared/history/tally.ts";
import { type Place, parsedMessage } from "./parser.ts";

/**
 * A chat of the older versions: one JSON document that the host wrote anew each time. Offsets are places in its list of
 * messages. It has to be held in memory, so one that is longer than the longest line is not read, and said to be so.
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
      const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
      const from = (options.from ?? 0) <= list.length ? (options.from ?? 0) : 0;
      tally.began(from);
      for (const [index, message] of [...list.entries()].slice(from)) {
        tally.line();
        const parsed = isRecord(message) ? parsedMessage(message, index, {}, place) : undefined;
        if (parsed === undefined) tally.damaged(index);
        else if ("unknown" in parsed) tally.unknown(parsed.unknown);
        else if ("passed" in parsed) tally.passed(parsed.passed);
        else if ("turns" in parsed) {
          tally.used();
          yield* parsed.turns;
        }
        // The last message may be added to.
        tally.resumeAt(index);
      }
    },
  };
}

export function wholeHeader(path: string): Header {
  const document = load(path, MAX_LINE_BYTES);
  if (typeof document === "string") return {};
  const id = textAt(document, "sessionId");
  const first = listAt(document, "messages")[0];
  const startedAt = timeOf(document["startTime"]) ?? timeOf(first?.["timestamp"]);
  return { ...(id === undefined ? {} : { id }), ...(startedAt === undefined ? {} : { startedAt }) };
}

/** The document, or why there is none. */
function load(path: string, maxBytes: number): Record<string, unknown> | string {
  try {
    return parseJson(readText(path, { maxBytes })) ?? `${path} is no JSON document, or half written`;
  } catch (error) {
    if (systemCode(error) === "too-large")
      return `${path} is larger than ${maxBytes} bytes and must be read at once`;
    if (isSystemError(error)) return error.message;
    throw error;
  }
}
