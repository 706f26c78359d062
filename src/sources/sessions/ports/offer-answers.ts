import { ContinuoError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import type { CompletionItem, OfferContext } from "../../../moments/ports/offer.ts";
import { catchUp, viewpointOf, withSessions } from "../access.ts";
import { chosen } from "../actions/choose.ts";
import { withStatus } from "../answers/asking-status.ts";
import { composerFor, withPrice } from "../answers/composer.ts";
import { asError, query, splitQuestion } from "../answers/query.ts";
import { day, label, oneLine } from "../labels.ts";
import { handoff } from "../records/texts.ts";
import { namesLike } from "../references/resolve.ts";
import type { SessionKey } from "../session.ts";

/** The user waits and sees progress. */
const SYNC_MS = 2_000;
/** Between two keystrokes there is no time to index. */
const NO_SYNC = 0;

export async function completeReferences(typed: string, context: OfferContext): Promise<CompletionItem[]> {
  return (await completionsFor(typed.replace(/^@@"?/, ""), context)).map((one) => ({
    ...one,
    value: `@@${one.value}`,
  }));
}

export async function completeNames(typed: string, context: OfferContext): Promise<CompletionItem[]> {
  // The question begins after the first word.
  return /\S\s/.test(typed) ? [] : completionsFor(typed, context);
}

async function completionsFor(typed: string, context: OfferContext): Promise<CompletionItem[]> {
  return withSessions(context, NO_SYNC, (library) =>
    namesLike(typed.trim(), library.list(), viewpointOf(context)).map(({ name, session }) => ({
      value: name,
      label: oneLine(session.name, 60),
      description: [session.host, session.label, day(session.modified)]
        .filter((part) => part !== undefined)
        .join(", "),
    })),
  );
}

export async function ask(
  argument: string,
  context: OfferContext,
  changed: () => void = () => undefined,
): Promise<string> {
  const asked = splitQuestion(argument);
  const outcome = await withStatus(context, changed, (show) =>
    withSessions(context, SYNC_MS, (library) =>
      query(library, asked, viewpointOf(context), composerFor(context, show)),
    ),
  );
  if (!outcome.ok) throw asError(outcome.failure);
  return withPrice(outcome.answer);
}

/** The current session, unless another is named. */
export async function handOff(argument: string, context: OfferContext): Promise<string> {
  return withSessions(context, SYNC_MS, async (library) => {
    const session =
      argument.trim() === "" ? thisSession(context) : chosen(context, library, { session: argument.trim() });
    await catchUp(library, { only: session, sliceMs: SYNC_MS });
    return handoff(library, session);
  });
}

/** With a model if one is configured. The user wants the record now, even if little is new. */
export async function indexThis(
  context: OfferContext,
  changed: () => void = () => undefined,
): Promise<string> {
  return withSessions(context, NO_SYNC, async (library) => {
    const own = thisSession(context);
    await catchUp(library, { only: own });
    const known = library.get(own);
    if (known === undefined || library.record(own) === undefined)
      throw new ContinuoError("session-not-kept", "this session has no file to index", {
        hint: "sessions without a file cannot be indexed",
      });
    const { describeNow } = await import("./describe-jobs.ts");
    const how = await describeNow(library, own, context, changed);
    return `Session indexed: ${label(library.get(own) ?? known)}, ${count(known.counts.turns, "turn")}${how}`;
  });
}

function thisSession({ session, transcript }: OfferContext): SessionKey & { readonly transcript?: string } {
  const { host, id } = session;
  if (host === "mcp" || host === "cli")
    throw new ContinuoError("session-not-kept", "this host keeps no history of its sessions");
  return { host, id, transcript };
}
