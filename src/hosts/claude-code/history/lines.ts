import type { Title } from "../../../moments/ports/history.ts";
import { type Entry, entryAt, listAt, textAt, textOf } from "../../shared/history/fields.ts";
import { preferred } from "../../shared/history/tally.ts";

/** Texts that Claude Code writes in the user's role when the user, or a hook, interrupts it. */
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

/** A prompt, as opposed to a tool's result, a summary, or a text that the host adds in the user's role. */
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
 * A slash command with arguments, as the user typed it, because the arguments are the user's words. A command without
 * arguments stays as the host wrote it, and counts as machine-made.
 */
export function asTyped(text: string): string {
  if (!/^\s*<command-(?:name|message)>/.test(text)) return text;
  const part = (name: string): string =>
    new RegExp(`<command-${name}>([\\s\\S]*?)</command-${name}>`).exec(text)?.[1]?.trim() ?? "";
  const words = part("args");
  return words === "" ? text : `${part("name")} ${words}`.trim();
}

/** At most this many summaries are remembered per file, and this many of the latest messages. */
const MAX_SUMMARIES = 100;
const MAX_MESSAGES = 20_000;

/**
 * Collects the titles of a session from its lines. Old versions wrote summaries of other sessions into a new file, so a
 * summary counts only if the message that it names is in this file. It usually follows that message.
 */
export function createTitles(): { see(entry: Entry): void; newest(): Title | undefined } {
  const summaries = new Map<string, string>();
  const messages = new Set<string>();
  let title: Title | undefined;
  return {
    newest: () => title,
    see(entry) {
      if (entry["type"] === "summary") {
        const leaf = textAt(entry, "leafUuid");
        const text = textAt(entry, "summary") ?? "";
        if (leaf !== undefined && messages.has(leaf)) title = preferred(title, { text, by: "host" });
        else if (leaf !== undefined && summaries.size < MAX_SUMMARIES) summaries.set(leaf, text);
        return;
      }
      const uuid = textAt(entry, "uuid");
      if (uuid !== undefined) remember(messages, uuid);
      title = preferred(title, titleIn(entry) ?? summaryOf(uuid, summaries));
    },
  };
}

function remember(messages: Set<string>, uuid: string): void {
  messages.add(uuid);
  if (messages.size <= MAX_MESSAGES) return;
  for (const oldest of messages) {
    messages.delete(oldest);
    return;
  }
}

function titleIn(entry: Entry): Title | undefined {
  if (entry["type"] === "custom-title") return { text: textAt(entry, "customTitle") ?? "", by: "person" };
  if (entry["type"] === "ai-title") return { text: textAt(entry, "aiTitle") ?? "", by: "host" };
  return undefined;
}

function summaryOf(uuid: string | undefined, summaries: ReadonlyMap<string, string>): Title | undefined {
  const text = uuid === undefined ? undefined : summaries.get(uuid);
  return text === undefined ? undefined : { text, by: "host" };
}

/** Types of lines without conversation: state, progress, and whole API requests of 100 KB each. */
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
  // A prompt typed while the agent works appears again later, as a prompt.
  "queue-operation",
  "tag",
  "tools-used",
  "worktree-state",
]);

export const PASSED_SYSTEM: ReadonlySet<string> = new Set([
  "api_error",
  "bridge_status",
  // The summary that follows represents the compaction.
  "compact_boundary",
  "informational",
  "microcompact_boundary",
  "stop_hook_summary",
  "turn_duration",
]);

/** Attachments for the model that the host adds to the conversation. Texts from hooks are not among these. */
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
