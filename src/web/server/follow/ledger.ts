import { followLedger as followLines } from "../../../moments/state/follow-ledger.ts";
import type { LedgerLine } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import type { WebEvent } from "../../api/events.ts";

/** What other processes append to the ledger, as events of the page. */
export interface LedgerFollower {
  /** The events of new lines. `isMore`: call again. */
  next(): { readonly events: readonly WebEvent[]; readonly isMore: boolean };
}

export function followLedger(home: Home): LedgerFollower {
  const follower = followLines(home);
  return {
    next() {
      const { lines, isMore } = follower.next();
      return { events: eventsOf(lines), isMore };
    },
  };
}

function eventsOf(lines: readonly LedgerLine[]): WebEvent[] {
  return lines.flatMap((line): WebEvent[] => {
    if (typeof line.host !== "string") return [];
    const session = { host: line.host, id: line.session };
    if (line.kind === "context") {
      const { reason, setName } = line;
      return [{ type: "context", session, reason, setName }];
    }
    if (line.kind === "ended") return [{ type: "session", session, reason: "ended" }];
    return [{ type: "given", session, what: line.kind }];
  });
}
