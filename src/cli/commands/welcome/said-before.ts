import { describeError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import type { Suggestion, Suggestions } from "../../../moments/ports/suggestions.ts";
import { reviewAll } from "../../../moments/review/review.ts";
import { meaningIn } from "../../../sources/profile/learning/extraction/extract.ts";
import {
  type SaidBefore,
  saidMoreThanOnce,
} from "../../../sources/profile/learning/extraction/said-before.ts";
import { proposeIn } from "../../../sources/profile/learning/propose-in.ts";
import { allSuggestions } from "../../../sources/suggestions.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { asker } from "../../terminal/input.ts";
import { askKey } from "../../terminal/key-asker.ts";
import { interruptible, progressBar } from "../../terminal/progress.ts";
import { chooseByKey } from "../review.ts";

const DAYS = 30;
const MOST_OFFERED = 5;
/** The user is waiting. */
const READING_MS = 15_000;

/** Prints a text of the guided start, wrapped at the screen's width. */
export type Say = (text: string, hang?: number) => void;

/**
 * Wishes that the user expressed more than once in the last 30 days, at most five, each decided with one key. The
 * others stay pending in `continuo review`.
 */
export async function offerSaidBefore(input: Input, say: Say): Promise<void> {
  try {
    await offer(input, say);
  } catch (error) {
    // The rest of the guided start does not need it.
    say(`What you said before was not read: ${describeError(error).message} (continuo doctor)`);
  }
}

async function offer(input: Input, say: Say): Promise<void> {
  const { env, now, history } = input;
  const home = findHome(env).root;
  const said = await findSaid(input, home);
  const proposed = new Map<string, SaidBefore>();
  for (const one of said) {
    if (proposed.size >= MOST_OFFERED) break;
    for (const id of await proposeOne(one, input)) proposed.set(id, one);
  }
  if (proposed.size === 0) return;
  const these = proposed.size === 1 ? "this" : `these ${count(proposed.size, "thing")}`;
  const text = `In the last ${DAYS} days you said ${these} more than once. What you accept, your agents are given from the next session on.`;
  say(`${text}\n`);
  const inbox = await allSuggestions({ home, env, now, history });
  const { done, left } = await reviewAll(only(inbox, proposed), (one, progress) =>
    chooseByKey(one, progress, askKey, asker(input)),
  );
  say(
    `${[...done, ...(left === 0 ? [] : [`${count(left, "suggestion")} left: continuo review`])].join("\n")}\n\n`,
  );
}

async function findSaid(input: Input, home: string): Promise<SaidBefore[]> {
  const { env, now } = input;
  const until = now() + READING_MS;
  const show = progressBar(input);
  const { isSame } = await meaningIn(home);
  return interruptible(async (signal) =>
    saidMoreThanOnce(await input.history(), env, {
      since: now() - DAYS * 86_400_000,
      isSame,
      isOver: () => signal.aborted || now() > until,
      onProgress: (done, all) =>
        show(() => ({
          share: done / all,
          label: `${done} of ${count(all, "session")} read for what you said`,
        })),
    }),
  );
}

/** The ids of the new suggestions: none for those that were decided before. */
async function proposeOne({ wish, last, cwd }: SaidBefore, { env, now }: Input): Promise<string[]> {
  const { proposed, heldBack } = await proposeIn(
    cwd,
    [wish],
    { home: findHome(env), env },
    { sessionId: last.id, host: last.host, now: now() },
  );
  return proposed.map(({ id }) => id).filter((id) => !heldBack.has(id));
}

function only(inbox: Suggestions, proposed: ReadonlyMap<string, SaidBefore>): Suggestions {
  const pending = (): Suggestion[] =>
    inbox.list().flatMap((one) => {
      const said = proposed.get(one.id);
      return said === undefined ? [] : [{ ...one, tried: [`Said in ${count(said.sessions, "session")}.`] }];
    });
  return { ...inbox, list: pending };
}
