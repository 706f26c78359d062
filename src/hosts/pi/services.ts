import type { HostServices } from "../../moments/ports/tool.ts";
import { loadConfig } from "../../store/config.ts";
import { homeForHost } from "../../store/home.ts";
import { recordFailure } from "../shared/follow.ts";
import type { Pi, PiContext } from "./api.ts";
import { piModels } from "./models.ts";
import { nameSession } from "./naming.ts";
import { createNotes, type Notes } from "./notes.ts";
import type { PiParts } from "./teller.ts";

/** What sources may have pi do, and what of it is written into pi's session file. */
export interface Services {
  readonly notes: Notes;
  /** For one event. What is needed of pi's context is taken from it now: it is stale once the session is replaced. */
  of(ctx: PiContext): HostServices;
  /** While pi works, what others want noted waits. */
  rests(isResting: boolean): void;
  /** After this nothing is written any more: a job that is late must not reach the session that came next. */
  end(): void;
}

export function createServices(
  pi: Pi,
  { env, sources, now }: Pick<PiParts, "env" | "sources" | "now">,
): Services {
  let ended = false;
  let resting = true;

  function intoFile(work: () => void): void {
    if (ended) return;
    try {
      if (loadConfig(homeForHost(env).home.config, sources, env).config.sessionEntries) work();
    } catch (error) {
      recordFailure(env, "pi notes", error, now());
    }
  }

  const notes = createNotes((type, data) => intoFile(() => pi.appendEntry(type, data)));
  return {
    notes,
    of({ sessionManager, modelRegistry }) {
      const id = sessionManager.getSessionId();
      const isHere = () => !ended && sessionManager.getSessionId() === id;
      return {
        models: piModels(modelRegistry),
        note(type, data) {
          if (!isHere()) return;
          notes.keep({ type, data });
          if (resting) notes.write();
        },
        nameSession(name) {
          if (isHere()) intoFile(() => nameSession(pi, sessionManager, name));
        },
      };
    },
    rests(isResting) {
      resting = isResting;
      if (isResting) notes.write();
    },
    end() {
      notes.write();
      ended = true;
    },
  };
}
