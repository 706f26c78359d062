import type { Range } from "../../../moments/ports/history.ts";
import { entryAt, listAt, parseJson } from "../../shared/history/fields.ts";
import { decoded, readOverview } from "../../shared/history/lines.ts";

/**
 * What has to be known of a whole chat file before any part of it is read: the host writes all messages again at each
 * start and at a compression, as poorer copies, and only what stands nowhere else is worth taking from there.
 */
export interface OwnLines {
  /** Whether the message in the line at this offset, which holds many, stands nowhere before and in no line of its own. */
  isFirst(id: string, offset: number): boolean;
  /** Whether what a tool answered to this call has a line of its own. */
  isAnswered(call: string): boolean;
  /** What the user went back behind. */
  readonly otherBranches: readonly Range[];
}

export function ownLines(path: string): OwnLines {
  const own = new Map<string, number>();
  const copies = new Map<string, number>();
  const answered = new Set<string>();
  const otherBranches: Range[] = [];
  for (const line of readOverview(path)) {
    const { text, offset } = decoded(line);
    if (text === undefined) continue;
    const id = /^\{"id":"([^"\\]+)"/.exec(text)?.[1];
    if (id !== undefined) {
      if (!own.has(id)) own.set(id, offset);
      for (const [, call = ""] of text.matchAll(/"functionResponse":\{"id":"([^"\\]+)"/g)) answered.add(call);
    } else if (text.startsWith('{"$set":{"messages"')) {
      for (const message of listAt(entryAt(parseJson(text) ?? {}, "$set"), "messages")) {
        const copied = String(message["id"]);
        if (!copies.has(copied)) copies.set(copied, offset);
      }
    } else if (text.startsWith('{"$rewindTo"')) {
      const target = parseJson(text)?.["$rewindTo"];
      // The message itself goes too; one that is not known takes everything with it.
      const from = typeof target === "string" ? (own.get(target) ?? 0) : 0;
      otherBranches.push({ from, to: offset });
    }
  }
  return {
    isFirst: (id, offset) => !own.has(id) && (copies.get(id) ?? offset) === offset,
    isAnswered: (call) => answered.has(call),
    otherBranches,
  };
}
