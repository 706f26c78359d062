import { entryAt, parseJson } from "../../shared/history/fields.ts";
import { tailLines } from "../../shared/history/lines.ts";

/** Codex writes it at the beginning of every turn and after every answer. */
const REACH = 1024 * 1024;

/** How many tokens the model's context holds, as Codex last wrote it into the transcript. */
export function codexContextWindow(path: string): number | undefined {
  for (const line of tailLines(path, REACH)) {
    if (!line.includes('"model_context_window"')) continue;
    const payload = entryAt(parseJson(line) ?? {}, "payload");
    const size = payload["model_context_window"] ?? entryAt(payload, "info")["model_context_window"];
    if (typeof size === "number" && Number.isSafeInteger(size) && size > 0) return size;
  }
  return undefined;
}
