import type { Title } from "../../../moments/ports/history.ts";
import { type Entry, entryAt, listAt, textAt, textOf } from "../../shared/history/fields.ts";
import { preferred } from "../../shared/history/tally.ts";

/** What Claude Code writes in the user's role when the user, or a hook, stops it. */
const INTERRUPTED = ["[Request interrupted by user", "Operation stopped by hook"];

export function saidIn(entry: Entry): string {
  return textOf(entryAt(entry, "message")["content"], (block) => block["type"] === "text").trim();
}

export function blocksIn(entry: Entry): readonly Entry[] {
  return listAt(entryAt(entry, "message"), "content");
}

export function isInterruption(text: string): boolean {
  return INTERRUPTED.some((beginning) => text.startsWith(beginning));
}

/** A prompt: not a tool's result, a summary, or what the host adds in the user's role. */
export function isPrompt(entry: Entry): boolean {
  return (
    entry["type"] === "user" &&
    entry["isMeta"] !== true &&
    entry["isCompactSummary"] !== true &&
    !("toolUseResult" in entry) &&
    !blocksIn(entry).some((block) => block["type"] === "tool_result")
  );
}

/**
 * A command that was typed with arguments, as it was typed: those are a person's words. One without is left as the host
 * wrote it down, which counts as the machine's.
 */
export function asTyped(text: string): string {
  if (!/^\s*<command-(?:name|message)>/.test(text)) return text;
  const part = (name: string): string =>
    new RegExp(`<command-${name}>([\\s\\S]*?)</command-${name}>`).exec(text)?.[1]?.trim() ?? "";
  const words = part("args");
  return words === "" ? text : `${part("name")} ${words}`.trim();
}

/** A file's lines name at most this many other sessions that we wait for. */
const MAX_SUMMARIES = 100;

/**
 * The names of a session as its lines tell them. Old versions wrote summaries of other sessions into a new file, so one
 * counts only if the message that it names is in this file.
 */
export function createTitles(): { see(entry: Entry): void; newest(): Title | undefined } {
  const summaries = new Map<string, string>();
  let title: Title | undefined;
  return {
    newest: () => title,
    see(entry) {
      const type = entry["type"];
      if (type === "summary") {
        const leaf = textAt(entry, "leafUuid");
        if (leaf !== undefined && summaries.size < MAX_SUMMARIES)
          summaries.set(leaf, textAt(entry, "summary") ?? "");
      }
      const told = nameIn(entry, summaries);
      title = preferred(title, told);
    },
  };
}

function nameIn(entry: Entry, summaries: ReadonlyMap<string, string>): Title | undefined {
  if (entry["type"] === "custom-title") return { text: textAt(entry, "customTitle") ?? "", by: "person" };
  if (entry["type"] === "ai-title") return { text: textAt(entry, "aiTitle") ?? "", by: "host" };
  const summary = summaries.size === 0 ? undefined : summaries.get(textAt(entry, "uuid") ?? "");
  return summary === undefined ? undefined : { text: summary, by: "host" };
}

/** Types of lines that hold nothing of the conversation: state, progress, and whole requests of 100 KB each. */
export const PASSED: ReadonlySet<string> = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "attribution-snapshot",
  "cost-state",
  "file-history-delta",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "prompt_snapshot",
  // What is typed while the agent works comes again as a prompt when its turn has come.
  "queue-operation",
  "tag",
  "tools-used",
  "worktree-state",
]);

export const PASSED_SYSTEM: ReadonlySet<string> = new Set([
  "api_error",
  "bridge_status",
  // The summary that follows it stands for the compaction.
  "compact_boundary",
  "informational",
  "microcompact_boundary",
  "stop_hook_summary",
  "turn_duration",
]);

/** What the host shows the model beside the conversation. Hooks' texts are not among them. */
export const PASSED_ATTACHMENTS: ReadonlySet<string> = new Set([
  "agent_listing_delta",
  "already_read_file",
  "command_permissions",
  "compact_file_reference",
  "date",
  "date_change",
  "deferred_tools_delta",
  "diagnostics",
  "directory",
  "edited_text_file",
  "environment",
  "file",
  "hook_success",
  "hook_system_message",
  "instructions",
  "mcp_instructions_delta",
  "mcp_resource",
  "model",
  "nested_memory",
  "opened_file_in_ide",
  "pdf_reference",
  "plan_file_reference",
  "plan_mode",
  "plan_mode_exit",
  "prompt_snapshot",
  "remote_session_change",
  "selected_lines_in_ide",
  "session_context",
  "skill_listing",
  "task_reminder",
  "todo_reminder",
  "total_tokens_reminder",
]);
