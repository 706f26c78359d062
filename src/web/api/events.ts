import type { ChatChange } from "./chat.ts";

/** A session as events name it. */
export interface SessionRef {
  readonly host: string;
  readonly id: string;
}

/**
 * What the event stream tells an open page. An event says what changed; the page then asks for what it shows. Only chat
 * events carry text, because a model's answer arrives in pieces.
 */
export type WebEvent =
  /** A session began, went on, went idle, was renamed or was looked at. */
  | { readonly type: "session"; readonly session: SessionRef; readonly reason: string }
  /** A session's context sets changed, or were given to it. */
  | {
      readonly type: "context";
      readonly session: SessionRef;
      readonly reason: "load" | "resume" | "changed";
      readonly setName?: string;
    }
  /** Something was delivered to a session, or it was compacted: its "Given" page changed. */
  | { readonly type: "given"; readonly session: SessionRef; readonly what: string }
  /** What a page shows of this path, named as the page asked for it, changed on the disk. */
  | { readonly type: "disk"; readonly path: string }
  | { readonly type: "inbox" | "notes" | "rules" | "health" | "connect" }
  /** How far the indexing of sessions is. */
  | { readonly type: "import"; readonly done: number; readonly total: number; readonly isComplete: boolean }
  | { readonly type: "chat"; readonly chat: string; readonly event: ChatChange }
  /** The stream could not be resumed: everything may have changed. */
  | { readonly type: "reset" };
