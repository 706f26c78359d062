import type { HostNote } from "../../moments/ports/tool.ts";
import { type SessionState, stateFile } from "../../moments/state/session-state.ts";
import type { Moment, Session } from "../../moments/types.ts";
import { homeForHost } from "../../store/home.ts";
import type { Meaning } from "../port/meaning.ts";
import { type Delivery, follow, recordFailure } from "../shared/follow.ts";
import type { Parts } from "../shared/in-process/parts.ts";

/** pi has no place for prompts. */
export type PiParts = Omit<Parts, "prompts">;

export interface Teller {
  /** `event` is pi's word for what happened. Bounded, and never throws. */
  told(event: string, understand: () => Meaning | undefined): Promise<Delivery>;
  tell(event: string, moment: Moment): Promise<string>;
  snapshotOf(place: { readonly session: Session }): SessionState["snapshot"] | undefined;
}

export function createTeller(
  { env, now, sources, history }: PiParts,
  onHostNote: (note: HostNote) => void,
): Teller {
  const told: Teller["told"] = (event, understand) =>
    follow({ where: `pi ${event}`, env, now, sources, history, onHostNote }, understand);
  const onDamaged = (path: string, movedTo: string) =>
    recordFailure(env, "pi state", new Error(`${path} was damaged; it is now ${movedTo}`), now());
  return {
    told,
    tell: async (event, moment) => (await told(event, () => ({ kind: "moment", moment }))).text,
    snapshotOf: ({ session }) =>
      stateFile(homeForHost(env).home, session, { lockWaitMs: 0, onDamaged }).read()?.snapshot,
  };
}
