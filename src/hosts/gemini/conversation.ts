import { readFileSync } from "node:fs";

/**
 * Is this still in the conversation? `PreCompress` comes before every request, whether or not there is anything to
 * compress, but the transcript always ends with the conversation as it is now.
 */
export function holds(transcript: string, text: string): boolean {
  const lines = readText(transcript);
  return lines === "" || currentHistory(lines).includes(asWritten(text));
}

/** Gemini writes angle brackets of hook context as entities. */
function asWritten(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** From the last line that replaces all messages; one message alone is the greeting of a process that just started. */
export function currentHistory(transcript: string): string {
  const lines = transcript.split("\n");
  const from = lines.findLastIndex((line) => {
    if (!line.startsWith('{"$set":{"messages":[')) return false;
    return messagesIn(line) > 1;
  });
  return lines.slice(Math.max(from, 0)).join("\n");
}

function messagesIn(line: string): number {
  try {
    const value = JSON.parse(line) as { $set?: { messages?: unknown[] } } | null;
    return value?.$set?.messages?.length ?? 0;
  } catch {
    return 0; // a line that is being written
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // before its first message a session has none
  }
}
