import { type StateFile, stateFile } from "../../../moments/state/session-state.ts";
import type { Moment, Session } from "../../../moments/types.ts";
import { homeForHost } from "../../../store/home.ts";
import type { Meaning } from "../../port/meaning.ts";
import { type Delivery, follow, recordFailure } from "../../shared/follow.ts";
import type { Parts } from "../../shared/in-process/base.ts";

/** A program has no prompt line, so it takes neither prompts nor offers. */
export type SdkParts = Omit<Parts, "prompts" | "offers">;

export interface Teller {
  /** `event` is the SDK's word for what happened. Bounded, and never throws. */
  told(event: string, meaning: () => Meaning | undefined): Promise<Delivery>;
  tell(event: string, moment: () => Moment | undefined): Promise<string>;
  /** Whatever fails is recorded, and goes no further. */
  quietly<T>(event: string, work: () => T | Promise<T>): Promise<T | undefined>;
  stateOf(session: Session): StateFile;
}

export function createTeller({ env, now, sources, history }: SdkParts): Teller {
  const told: Teller["told"] = (event, meaning) =>
    follow({ where: `copilot-sdk ${event}`, env, now, sources, history }, meaning);
  const onDamaged = (path: string, movedTo: string) =>
    recordFailure(env, "copilot-sdk state", new Error(`${path} was damaged; it is now ${movedTo}`), now());
  return {
    told,
    async tell(event, moment) {
      const delivery = await told(event, () => {
        const happened = moment();
        return happened && { kind: "moment", moment: happened };
      });
      return delivery.text;
    },
    async quietly(event, work) {
      try {
        return await work();
      } catch (error) {
        recordFailure(env, `copilot-sdk ${event}`, error, now());
        return undefined;
      }
    },
    stateOf: (session) => stateFile(homeForHost(env).home, session, { lockWaitMs: 300, onDamaged }),
  };
}
