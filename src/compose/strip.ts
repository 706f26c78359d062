/**
 * Prevents feedback: before a prompt is matched, used in a search or learned from, the blocks that Continuo or the host
 * injected are removed, even if a person pasted one.
 */
const BLOCKS =
  /<(continuo|continuo-addition|system-reminder|system_reminder|hook_context|loaded_context|session-start-hook)(?=[\s>])[^>]{0,500}>[\s\S]*?(?:<\/\1>|$)/gi;

export function stripInjected(text: string): string {
  return text.includes("<") ? text.replace(BLOCKS, "") : text;
}

/** As `stripInjected`, but also returns what was removed. */
export function splitInjected(text: string): { text: string; injected: string } {
  if (!text.includes("<")) return { text, injected: "" };
  const found: string[] = [];
  const rest = text.replace(BLOCKS, (block) => {
    found.push(block);
    return "";
  });
  return { text: rest, injected: found.join("\n") };
}

/** Whether the host made this prompt and no person typed it: hosts report on background work in the user's role. */
export function isMachineMade(prompt: string): boolean {
  return /^\s*<(task-notification|local-command-stdout|local-command-stderr|command-name|command-message|bash-input|bash-stdout|bash-stderr)\b/.test(
    prompt,
  );
}
