import { ContinuoError, isContinuoError, isSystemError } from "../../../base/errors.ts";
import type { SuggestionAnswer } from "../../../moments/ports/suggestions.ts";
import { NOT_PENDING } from "../../../moments/review/suggestions.ts";
import { type Applied, summariseStep } from "../../../sources/profile/learning/apply.ts";
import { type Place, readProfile } from "../../../sources/profile/learning/profile.ts";
import { placeFor } from "../../../sources/profile/learning/suggestions.ts";
import type { Decided } from "../../api/suggestions.ts";
import type { Web } from "../web.ts";

/** Long enough for another process that decides, short enough for a person who looks at the page. */
export const LOCK_WAIT_MS = 5_000;

export function placeIn(web: Pick<Web, "home" | "env">): Place {
  return placeFor(web.home.root, web.env);
}

/** Runs a decision, and tells all pages. A seed that cannot be written is explained, and nothing is lost. */
export async function decided(web: Web, decide: () => Promise<Decided>): Promise<Decided> {
  try {
    const answer = await decide();
    web.publish({ type: "inbox" });
    return answer;
  } catch (error) {
    if (isContinuoError(error) || !isSystemError(error)) throw error;
    throw new ContinuoError("seed-unwritable", `${placeIn(web).seed} cannot be written (${error.code})`, {
      hint: "nothing was changed; make the file and its folder writable, then try again (continuo doctor)",
      cause: error,
    });
  }
}

/** For a decision about a suggestion that may have been decided in another window. */
export function answerOf(answer: SuggestionAnswer, place: Place, id: string): Decided {
  if (answer.done) return { message: answer.message, batch: answer.batch };
  // It waits on: the person is told what has to be done first.
  if (answer.message !== NOT_PENDING) throw new ContinuoError("not-decided", answer.message);
  const fate = readProfile(place).config.state.proposals.find((one) => one.id === id)?.status;
  const happened = fate === "accepted" || fate === "rejected" ? `was ${fate}` : "is no longer pending";
  throw new ContinuoError("decided-meanwhile", `This suggestion ${happened} in another window.`, {
    hint: "nothing was changed; to undo the other decision, see Decided",
  });
}

/** For a change that does nothing if somebody else made it before. */
export function appliedOf({ steps, batch }: Applied, gone: string): Decided {
  if (steps.length === 0)
    throw new ContinuoError("decided-meanwhile", gone, {
      hint: "nothing was changed; the list was reloaded",
    });
  const message = steps.map(summariseStep).join(", ");
  return {
    message: message.charAt(0).toUpperCase() + message.slice(1),
    batch,
  };
}
