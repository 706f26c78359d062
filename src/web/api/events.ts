import type { ChatChange } from "./chat.ts";

/** How events refer to a session. */
export interface SessionRef {
  readonly host: string;
  readonly id: string;
}

/**
 * What the event stream sends to open pages. An event says what changed; the page then reloads what it shows. Only chat
 * events contain text, because a model's answer arrives in pieces.
 */
export type WebEvent =
  /** A session began, continued, went idle, was renamed or was looked at. */
  | { readonly type: "session"; readonly session: SessionRef; readonly reason: string }
  /** A session's context sets changed, or were delivered to it. */
  | {
      readonly type: "context";
      readonly session: SessionRef;
      readonly reason: "load" | "resume" | "changed";
      readonly setName?: string;
    }
  /** Something was delivered to a session, or it was compacted: its "Given" page changed. */
  | { readonly type: "given"; readonly session: SessionRef; readonly what: string }
  /** What a page shows about this path (as named in its request) changed on the disk. */
  | { readonly type: "disk"; readonly path: string }
  | { readonly type: "inbox" | "notes" | "rules" | "health" | "connect" }
  /** The progress of indexing sessions. */
  | { readonly type: "import"; readonly done: number; readonly total: number; readonly isComplete: boolean }
  | { readonly type: "chat"; readonly chat: string; readonly event: ChatChange }
  /** The stream could not be resumed: everything may have changed. */
  | { readonly type: "reset" };
