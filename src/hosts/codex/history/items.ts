import { type Entry, entryAt, listAt, textAt, textOf } from "../../shared/history/fields.ts";

/** What the oldest versions put into the user's role; newer ones say of each text where it came from. */
const HOST_TEXT =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|skills_instructions|turn_aborted|user_shell_command|INSTRUCTIONS)\b|# AGENTS\.md instructions)/;

/** A message's texts, told apart by whether a person wrote them. */
export function saidIn(message: Entry): { own: string; injected: string } {
  const about = entryAt(message, "internal_chat_message_metadata_passthrough");
  const kinds = Array.isArray(about["content_item_kinds"]) ? about["content_item_kinds"] : [];
  const own: string[] = [];
  const injected: string[] = [];
  listAt(message, "content").forEach((item, index) => {
    const text = textAt(item, "text") ?? "";
    const kind: unknown = kinds[index];
    const isOwn = typeof kind === "string" ? kind.startsWith("user.") : !HOST_TEXT.test(text);
    (isOwn ? own : injected).push(text);
  });
  return { own: own.join("\n"), injected: injected.join("\n") };
}

/** A tool's answer: text, an object with one, or a list of parts. */
export function outputOf(output: unknown): string {
  if (Array.isArray(output)) return textOf(output);
  if (typeof output !== "string") return textOf((output as Entry | null)?.["content"]);
  return output;
}
