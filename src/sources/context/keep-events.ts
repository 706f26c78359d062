import { join } from "node:path";
import { appendLedger } from "../../moments/state/ledger.ts";
import { MAX_STATE_BYTES, type SessionState } from "../../moments/state/session-state.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { readText } from "../../store/read-file.ts";
import { type ContextEvent, subscribe } from "./events.ts";

/**
 * Writes every change of a context in this process to the ledger, until the returned function is called. For programs
 * in which people and agents change sets: the command line, a tool server, the page.
 */
export function keepEvents(home: Home): () => void {
  return subscribe((event) => {
    const { host, id } = event.session;
    const state = stateOf(home, event);
    appendLedger(home, event.at, {
      kind: "context",
      host,
      session: id,
      project: state?.project.id ?? "",
      epoch: state?.epoch ?? 0,
      ...noted(event),
    });
  });
}

/** What the ledger keeps of an event: what was added and removed, not the whole context. */
export function noted(event: Pick<ContextEvent, "reason" | "setName" | "added" | "removed">) {
  const { reason, setName, added, removed } = event;
  return { reason, ...(setName === undefined ? {} : { setName }), added, removed };
}

function stateOf(home: Home, { session }: ContextEvent): SessionState | undefined {
  try {
    return JSON.parse(
      readText(join(home.state, session.host, `${fileNameFor(session.id)}.json`), {
        maxBytes: MAX_STATE_BYTES,
      }),
    );
  } catch {
    return undefined; // a session that only has metadata, such as one of Caco's
  }
}
