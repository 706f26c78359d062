import type { Inbox, InboxOptions } from "../moments/ports/inbox.ts";
import { openInboxes } from "../moments/review/inboxes.ts";
import { MODULES } from "./index.ts";

/** Everything that waits for the person's decision. */
export function openInbox(options: InboxOptions): Promise<Inbox> {
  return openInboxes(MODULES, options);
}
