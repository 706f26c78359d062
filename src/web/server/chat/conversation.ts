import type { ChatStep } from "../../../hosts/port/chat.ts";
import type { ChatEntry, ChatUsageSum } from "../../api/chat.ts";

/** More than a person reads in one answer. */
const MAX_TEXT = 200_000;
const MAX_TOOL_TEXT = 50_000;
const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 4_000_000;

/** What a step changed. */
export type Change =
  | { readonly kind: "entry"; readonly entry: ChatEntry }
  | { readonly kind: "piece"; readonly key: number; readonly text: string; readonly thinking: string }
  | { readonly kind: "gone"; readonly keys: readonly number[] };

type Assistant = Extract<ChatEntry, { kind: "assistant" }>;
type Tool = Extract<ChatEntry, { kind: "tool" }>;
type Unkeyed<E> = E extends { readonly key: number } ? Omit<E, "key"> : never;

/** The entries of one chat, bounded whatever a model sends. */
export interface Conversation {
  readonly entries: () => readonly ChatEntry[];
  readonly usage: () => ChatUsageSum;
  /** Older entries were dropped. */
  readonly hasEarlier: () => boolean;
  apply(step: ChatStep): readonly Change[];
  /** Something that no model said. */
  add(entry: Unkeyed<ChatEntry>): readonly Change[];
  /** Nothing more comes of what was begun: the agent was stopped, or its process ended, and an unfinished answer is lost. */
  settle(isLost?: boolean): readonly Change[];
}

export function createConversation(now: () => number): Conversation {
  const entries = new Map<number, ChatEntry>();
  const messages = new Map<string, number>();
  const calls = new Map<string, number>();
  let next = 1;
  let characters = 0;
  let hasEarlier = false;
  let usage: ChatUsageSum = { input: 0, output: 0, cacheRead: 0, cost: 0, calls: 0 };

  function put(entry: ChatEntry): readonly Change[] {
    characters += sizeOf(entry) - sizeOf(entries.get(entry.key));
    entries.set(entry.key, entry);
    return [{ kind: "entry", entry }, ...dropOldest()];
  }
  function add(entry: Unkeyed<ChatEntry>): readonly Change[] {
    return put({ ...entry, key: next++ } as ChatEntry);
  }
  function remove(keys: readonly number[]): readonly Change[] {
    for (const key of keys) {
      characters -= sizeOf(entries.get(key));
      entries.delete(key);
    }
    return keys.length === 0 ? [] : [{ kind: "gone", keys }];
  }
  function dropOldest(): readonly Change[] {
    const dropped: number[] = [];
    let left = characters;
    for (const [key, entry] of entries) {
      const isLast = key === next - 1;
      if (isLast || (entries.size - dropped.length <= MAX_ENTRIES && left <= MAX_CHARACTERS)) break;
      left -= sizeOf(entry);
      dropped.push(key);
    }
    if (dropped.length > 0) hasEarlier = true;
    return remove(dropped);
  }

  function assistant(message: string): Assistant | undefined {
    const entry = entries.get(messages.get(message) ?? 0);
    return entry?.kind === "assistant" ? entry : undefined;
  }
  function begin(message: string, at: number): readonly Change[] {
    messages.set(message, next);
    return add({ kind: "assistant", at, text: "", thinking: "", isOpen: true, isCut: false });
  }
  /** What was cut off and is repeated by the host must not be shown twice. */
  function dropOpen(): readonly Change[] {
    return remove([...entries.values()].filter(isOpen).map(({ key }) => key));
  }

  function grow(message: string, text: string, thinking: string): readonly Change[] {
    const begun = assistant(message) === undefined ? begin(message, now()) : [];
    const entry = assistant(message);
    if (entry === undefined || !entry.isOpen) return begun;
    const room = MAX_TEXT - entry.text.length;
    const added = text.slice(0, Math.max(0, room));
    const thought = thinking.slice(0, Math.max(0, MAX_TOOL_TEXT - entry.thinking.length));
    const isCut = entry.isCut || added.length < text.length;
    const grown = { ...entry, text: entry.text + added, thinking: entry.thinking + thought, isCut };
    if (isCut !== entry.isCut) return [...begun, ...put(grown)];
    put(grown);
    if (added === "" && thought === "") return begun;
    return [...begun, { kind: "piece", key: entry.key, text: added, thinking: thought }];
  }

  function finish(step: Extract<ChatStep, { kind: "message" }>): readonly Change[] {
    const entry = assistant(step.message);
    messages.delete(step.message);
    const text = step.text.slice(0, MAX_TEXT);
    const isCut = step.text.length > MAX_TEXT;
    const thinking = (step.thinking ?? entry?.thinking ?? "").slice(0, MAX_TOOL_TEXT);
    if (entry !== undefined && text === "" && thinking === "") return remove([entry.key]);
    if (entry !== undefined) return put({ ...entry, text, thinking, isCut, isOpen: false });
    if (text === "" && thinking === "") return []; // it only calls tools
    return add({ kind: "assistant", at: step.at, text, thinking, isOpen: false, isCut });
  }

  function settle(isLost = false): readonly Change[] {
    messages.clear();
    calls.clear();
    return [...entries.values()].flatMap((entry) => {
      if (isOpen(entry)) {
        if (entry.text === "") return remove([entry.key]);
        return put({ ...entry, isOpen: false, ...(isLost ? { isLost } : {}) });
      }
      if (entry.kind === "tool" && entry.state === "running")
        return put({ ...entry, state: "failed", result: entry.result || "stopped" });
      return [];
    });
  }

  function apply(step: ChatStep): readonly Change[] {
    switch (step.kind) {
      case "user":
        return add({ kind: "user", at: step.at, text: cut(step.text, MAX_TEXT) });
      case "begin":
        return [...dropOpen(), ...begin(step.message, step.at)];
      case "text":
        return grow(step.message, step.text, "");
      case "thinking":
        return grow(step.message, "", step.text);
      case "message":
        return finish(step);
      case "call":
        calls.set(step.call, next);
        return add({
          kind: "tool",
          at: step.at,
          tool: step.tool.slice(0, 200),
          input: cut(step.input, MAX_TOOL_TEXT),
          result: "",
          state: "running",
        });
      case "result": {
        const entry = entries.get(calls.get(step.call) ?? 0);
        calls.delete(step.call);
        if (entry?.kind !== "tool") return [];
        const done: Tool = {
          ...entry,
          result: cut(step.text, MAX_TOOL_TEXT),
          state: step.outcome,
        };
        return put(done);
      }
      case "usage":
        usage = {
          input: usage.input + step.usage.input,
          output: usage.output + step.usage.output,
          cacheRead: usage.cacheRead + step.usage.cacheRead,
          cost: usage.cost + step.usage.cost,
          calls: usage.calls + 1,
        };
        return [];
      case "compacted":
        return add({ kind: "note", at: step.at, what: "compacted" });
      case "failure":
        return [...dropOpen(), ...add({ kind: "failure", at: step.at, ...step.failure })];
      case "idle":
        return [...settle(), ...(step.isAborted ? add({ kind: "note", at: now(), what: "stopped" }) : [])];
      case "title":
        return [];
    }
  }

  return {
    entries: () => [...entries.values()],
    usage: () => usage,
    hasEarlier: () => hasEarlier,
    apply,
    add,
    settle,
  };
}

function isOpen(entry: ChatEntry): entry is Assistant {
  return entry.kind === "assistant" && entry.isOpen;
}

function sizeOf(entry: ChatEntry | undefined): number {
  if (entry?.kind === "user") return entry.text.length;
  if (entry?.kind === "assistant") return entry.text.length + entry.thinking.length;
  if (entry?.kind === "tool") return entry.input.length + entry.result.length;
  return entry === undefined ? 0 : 100;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}\n… ${text.length - length} more characters`;
}
