import { dirname, join } from "node:path";
import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import type { Moment, Past, PastCall, PastFiles } from "../../moments/types.ts";
import { type Entry, entryAt, parseJson, textAt, timeOf } from "../shared/history/fields.ts";
import { tailLines } from "../shared/history/lines.ts";
import { mentionedFiles } from "../shared/mentions/mentioned-files.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import { asTyped, blocksIn, isInterruption, isPrompt, saidIn } from "./history/lines.ts";
import { tools } from "./tools.ts";

/** Transcripts contain whole API requests of 100 KB each, so the calls of one turn may be far apart. */
const REACH = 4 * 1024 * 1024;

/** The most lines of the conversation to parse. A turn that Continuo missed has far fewer. */
const MOST_LINES = 600;

/**
 * What Claude Code's transcript contains of a session since this time. Empty if it cannot be read: a moment must not
 * fail.
 */
export function readPast(
  { session, transcript, cwd, project }: Pick<Moment, "session" | "transcript" | "cwd" | "project">,
  since: number,
): Past {
  const calls: PastCall[] = [];
  const prompts: string[] = [];
  const mentioned: PastFiles[] = [];
  const succeeded = new Set<string>();
  const path = transcript === undefined ? undefined : transcriptOf(transcript, session);
  let parsed = 0;
  for (const line of path === undefined ? [] : linesOf(path)) {
    if (!MAY_MATTER.test(line)) continue;
    if (++parsed > MOST_LINES) break;
    const entry = parseJson(line);
    const at = timeOf(entry?.["timestamp"]);
    // In older versions a subagent's lines are in its parent's transcript.
    if (entry === undefined || at === undefined || isOthers(entry, session.parent)) continue;
    if (at < since) break;
    for (const block of blocksIn(entry)) {
      // Newest line first, so a call's result comes before the call. No hook runs after a failed call.
      const id = textAt(block, block["type"] === "tool_use" ? "id" : "tool_use_id") ?? "";
      if (block["type"] === "tool_result" && block["is_error"] !== true) succeeded.add(id);
      if (block["type"] !== "tool_use" || !succeeded.has(id)) continue;
      const name = textAt(block, "name") ?? "";
      calls.unshift({ name, at, files: tools.filesOf(name, entryAt(block, "input"), cwd, project.root) });
    }
    const typed = isPrompt(entry) ? stripInjected(asTyped(saidIn(entry))) : "";
    if (typed === "" || isMachineMade(typed) || isInterruption(typed)) continue;
    prompts.unshift(typed);
    const { mentioned: files } = mentionedFiles(mentionsIn(typed), { cwd, project });
    if (files !== undefined) mentioned.unshift({ files, at });
  }
  return { calls, prompts, ...(mentioned.length === 0 ? {} : { mentioned }) };
}

/** Lines of the conversation begin with their parent's id. So do attachments, which are many and are excluded. */
const MAY_MATTER = /^\{"parentUuid":(?!.{0,200}"attachment":)/;

function isOthers(entry: Entry, parent: string | undefined): boolean {
  return (entry["isSidechain"] === true) !== (parent !== undefined);
}

/** In a subagent, payloads name its parent's transcript. */
function transcriptOf(path: string, { id, parent }: Moment["session"]): string | undefined {
  if (parent === undefined) return path;
  const child = id.slice(parent.length + 1);
  return /^[\w-]+$/.test(child)
    ? join(dirname(path), parent, "subagents", `agent-${child}.jsonl`)
    : undefined;
}

function linesOf(path: string): string[] {
  try {
    return tailLines(path, REACH);
  } catch {
    return []; // not written yet, or not readable
  }
}
