/**
 * Nothing of ours feeds back: before a prompt is matched, searched with or learned from, the blocks that we or
 * the host injected are taken out, also when a person pastes one.
 */
const BLOCKS =
  /<(continuo|continuo-addition|system-reminder|system_reminder|hook_context|loaded_context|session-start-hook)(?=[\s>])[^>]{0,500}>[\s\S]*?(?:<\/\1>|$)/gi;

export function stripInjected(text: string): string {
  return text.includes("<") ? text.replace(BLOCKS, "") : text;
}

/** The same, with what was taken out kept beside the rest. */
export function splitInjected(text: string): { text: string; injected: string } {
  if (!text.includes("<")) return { text, injected: "" };
  const found: string[] = [];
  const rest = text.replace(BLOCKS, (block) => {
    found.push(block);
    return "";
  });
  return { text: rest, injected: found.join("\n") };
}

/** Prompts that no person typed: the host reports on its own background work in the user's role. */
export function isMachineMade(prompt: string): boolean {
  return /^\s*<(task-notification|local-command-stdout|local-command-stderr|command-name|command-message|bash-input|bash-stdout|bash-stderr)\b/.test(
    prompt,
  );
}
