import { join } from "node:path";
import { peekState } from "../../../moments/state/session-state.ts";
import type { Session } from "../../../moments/types.ts";
import type { FileUse } from "../../../moments/working-set.ts";
import { namesIn } from "../../../store/folder.ts";
import type { Home } from "../../../store/home.ts";

/** Of a session's subagents, at most this many are looked at. */
const MAX_SUBAGENTS = 50;

/**
 * What the subagents of a session used, where the host has no moment at which a subagent goes idle: their ids begin with the
 * session's there (`hosts/shared/hook/adapter.ts`).
 */
export function subagentFiles(home: Home, { host, id }: Session): FileUse[] {
  const start = `${id}_`;
  return namesIn(join(home.state, host))
    .filter((name) => name.startsWith(start) && /^[\w-]+\.json$/.test(name))
    .slice(-MAX_SUBAGENTS)
    .flatMap((name) => {
      const state = peekState(home, { host, id: name.slice(0, -".json".length) });
      return state?.session.parent === id ? state.workingSet : [];
    });
}
