import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import type { Sessions } from "../library.ts";
import type { Resumption } from "../resume.ts";
import type { PastSession } from "../session.ts";
import { chosen, type Wanted } from "./choose.ts";
import { HOST, SESSION } from "./fields.ts";
import { withFresh } from "./fresh.ts";
import { toJson } from "./shown.ts";

/** Shows the command that resumes a session. At a terminal, the command line runs it. */
export const resume = action({
  name: "sessions resume",
  about: "resume a session in its agent",
  guide: "Starts the agent in the session's folder. Where there is no terminal, it prints the command.",
  examples: [
    ["continuo sessions resume last", "continue the newest session of this project"],
    ["continuo sessions resume last --print", "print the command that continues it"],
  ],
  effect: "reads",
  input: fields({
    session: optional(SESSION),
    host: HOST,
    print: optional(flag("print the command instead of running it")),
  }),
  run: (wanted, place) => toResume(wanted, place),
  json: ({ session, line }) => ({ ...toJson({ ...session, resume: line }), command: line }),
  view: ({ line }) => [exact(oneLine(line))],
});

/** A session with what is needed to resume it, so that the index can be closed first. */
export interface Resumable {
  readonly session: PastSession;
  readonly resumption: Resumption;
  /** The command as a user would type it. */
  readonly line: string;
}

export function toResume({ session = "last", host }: Partial<Wanted>, place: Place): Promise<Resumable> {
  return withFresh(place, (library) => resumableOf(library, chosen(place, library, { session, host })));
}

export function resumableOf(library: Sessions, session: PastSession): Resumable {
  const resumption = library.resumption(session);
  const line = library.resumeLine(session);
  if (!("why" in resumption) && line !== undefined) return { session, resumption, line };
  throw new ContinuoError(
    "not-resumable",
    "why" in resumption ? resumption.why : "this session cannot be resumed",
    { hint: `to continue in a new session: continuo sessions handoff ${commandWord(session.id)}` },
  );
}
