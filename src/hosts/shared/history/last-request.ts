import { isMachineMade, stripInjected } from "../../../compose/strip.ts";
import type { LastRequest } from "../../../moments/types.ts";
import { type Entry, parseJson } from "./fields.ts";
import { tailLines } from "./lines.ts";

/** What a line of a host's history shows about where the session stopped. */
export type Trace =
  | { readonly kind: "request"; readonly text: string; readonly at?: unknown }
  /** The newest line decides: text before a tool call is not the answer yet. */
  | { readonly kind: "work"; readonly isAnswer: boolean };

/** Some histories contain whole API requests of 100 KB each, so the last prompt may be far from the end. */
const REACH = 4 * 1024 * 1024;

/** Reads a history of JSON lines from its end: the newest prompt that the user typed, and whether it was answered. */
export function newestRequest(
  path: string,
  trace: (entry: Entry) => Trace | undefined,
  /** Skips lines that cannot be either, because that is cheaper than parsing them. */
  mayMatter: (line: string) => boolean = () => true,
): LastRequest | undefined {
  let answered: boolean | undefined;
  for (const line of tailLines(path, REACH)) {
    const entry = mayMatter(line) ? parseJson(line) : undefined;
    const found = entry === undefined ? undefined : trace(entry);
    if (found === undefined) continue;
    if (found.kind === "work") {
      answered ??= found.isAnswer;
      continue;
    }
    const text = stripInjected(found.text).trim();
    if (text === "" || isMachineMade(text)) continue;
    return {
      text,
      answered: answered ?? false,
      ...(typeof found.at === "string" ? { at: found.at } : {}),
    };
  }
  return undefined;
}
