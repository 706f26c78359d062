import { readAt, withFile } from "../../store/read-file.ts";

/**
 * Is this still in the conversation? `PreCompress` comes before every request, whether or not there is anything to
 * compress, but the transcript always ends with the conversation as it is now.
 */
export function holds(transcript: string, text: string): boolean {
  const lines = endOf(transcript);
  return lines === "" || currentHistory(lines).includes(asWritten(text));
}

/** Gemini writes angle brackets of hook context as entities. */
function asWritten(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const REPLACING = '{"$set":{"messages":[';

/**
 * From the last line that replaces all messages; one message alone is the greeting of a process that just started.
 * Looked for from the end and without taking the text apart: it may have many megabytes, and a tool call waits for it.
 */
export function currentHistory(transcript: string): string {
  let at = transcript.lastIndexOf(REPLACING);
  while (at > 0) {
    const end = transcript.indexOf("\n", at);
    const isLine = transcript[at - 1] === "\n";
    if (isLine && messagesIn(transcript.slice(at, end === -1 ? undefined : end)) > 1) break;
    at = transcript.lastIndexOf(REPLACING, at - 1);
  }
  return at > 0 ? transcript.slice(at) : transcript;
}

function messagesIn(line: string): number {
  try {
    const value = JSON.parse(line) as { $set?: { messages?: unknown[] } } | null;
    return value?.$set?.messages?.length ?? 0;
  } catch {
    return 0; // a line that is being written
  }
}

/** So far back the current conversation reaches at most; of a longer transcript only the end is looked at. */
const MAX_BYTES = 24 * 1024 * 1024;

function endOf(path: string): string {
  try {
    return withFile(path, ({ descriptor, stats: { size } }) => {
      const length = Math.min(size, MAX_BYTES);
      return readAt(descriptor, size - length, length).toString("utf8");
    });
  } catch {
    return ""; // before its first message a session has none
  }
}
