import type { ChatChange, ChatEntry, ChatState } from "../../api/chat.ts";

/**
 * The state after some changes. Undefined if a change is missing in between, or belongs to another opening of the chat:
 * then the whole state must be loaded again.
 */
export function applyChanges(state: ChatState, changes: readonly ChatChange[]): ChatState | undefined {
  let { seq } = state;
  let rest: Partial<ChatState> = {};
  let entries: Map<number, ChatEntry> | undefined;
  for (const change of changes) {
    if (change.run !== state.run) return undefined;
    if (change.seq <= seq) continue;
    if (change.seq !== seq + 1) return undefined;
    seq = change.seq;
    if (change.kind === "state") {
      rest = change.state;
      continue;
    }
    entries ??= new Map(state.entries.map((entry) => [entry.key, entry]));
    if (change.kind === "entry") entries.set(change.entry.key, change.entry);
    else if (change.kind === "gone") for (const key of change.keys) entries.delete(key);
    else {
      const entry = entries.get(change.key);
      if (entry?.kind !== "assistant") return undefined;
      const grown = { text: entry.text + change.text, thinking: entry.thinking + change.thinking };
      entries.set(change.key, { ...entry, ...grown });
    }
  }
  if (seq === state.seq) return state;
  return { ...state, ...rest, seq, entries: entries === undefined ? state.entries : [...entries.values()] };
}
