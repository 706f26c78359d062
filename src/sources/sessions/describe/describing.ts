import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import type { LanguageModel } from "../../../models/port.ts";
import { usageText } from "../../../models/usage-text.ts";
import type { OfferContext, Work } from "../../../moments/ports/offer.ts";
import { catchUp, withSessions } from "../access.ts";
import type { Sessions } from "../library.ts";
import type { SessionKey } from "../session.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { oneLine } from "../words-for-people.ts";
import type { Described } from "./describe.ts";
import { unusable } from "./unusable.ts";

/** How long the status line tells how it went. */
const TOLD_MS = 5_000;

/** What the status line says of each session that is, or has just been, described. */
const told = new Map<string, string>();

export function describingStatus(context: OfferContext): string {
  return told.get(placeOf(context)) ?? "";
}

/** The user has named models: if none can be used here they hear of it when a session begins, not when one is missed. */
export async function checkModels({ settings, env, host }: OfferContext): Promise<void> {
  const { model, problems } = await chooseModel(modelSettings(settings), env, host?.models);
  if (model === undefined) throw unusable(problems);
}

/** The agent rests: a model writes the session's record anew, if enough was asked since it last did. */
export async function describeWhenDue(context: OfferContext, { signal, changed }: Work): Promise<void> {
  const { session, settings, env, host, transcript } = context;
  if (!(await context.history()).has(session.host)) return;
  const { model } = await chooseModel(modelSettings(settings), env, host?.models);
  if (model === undefined) return; // told when the session began
  const key = { host: session.host as string, id: session.id };
  await withSessions(context, 0, async (library) => {
    await catchUp(library, { only: { ...key, ...(transcript !== undefined && { transcript }) }, signal });
    const leastPrompts = typed(SESSIONS_SETTINGS, settings).minNewUserMessages;
    const described = await describe(library, key, { context, model, leastPrompts, signal, changed });
    if (described.kind === "failed") throw described.error;
  });
}

/** A person asked for it: it is done, or they are told why not. Empty when no model is named; else how it went. */
export async function describeNow(
  library: Sessions,
  key: SessionKey,
  context: OfferContext,
  changed: () => void,
): Promise<string> {
  const { settings, env, host } = context;
  const { model, problems } = await chooseModel(modelSettings(settings), env, host?.models);
  if (model === undefined)
    return problems.length === 0
      ? ""
      : `; in its own words, for no model can be used: ${problems.join("; ")}`;
  const described = await describe(library, key, { context, model, leastPrompts: 0, changed });
  switch (described.kind) {
    case "written":
      return `, described by ${model.key}${described.usage === undefined ? "" : ` (${usageText(described.usage)})`}`;
    case "failed":
      throw described.error;
    case "busy":
      return "; another process is having it described";
    default:
      return "";
  }
}

interface Describing {
  readonly context: OfferContext;
  readonly model: LanguageModel;
  readonly leastPrompts: number;
  readonly signal?: AbortSignal;
  readonly changed: () => void;
}

async function describe(
  library: Sessions,
  key: SessionKey,
  { context, model, leastPrompts, signal, changed }: Describing,
): Promise<Described> {
  const { host } = context;
  const place = placeOf(context);
  const say = (text: string): void => {
    told.set(place, text);
    changed();
  };
  try {
    const described = await library.describe(key, {
      model,
      leastPrompts,
      signal,
      onAsk: (number) => say(number === 1 ? "indexing…" : `indexing… (retry ${number - 1}/2)`),
      onAttempt: ({ model: asked, usage, error }) =>
        host?.note?.("session-index:index", {
          success: error === undefined,
          sessionId: key.id,
          model: asked,
          timestamp: new Date().toISOString(),
          ...(usage && { usage }),
          ...(error !== undefined && { error }),
        }),
    });
    if (described.kind === "written") {
      const { record, usage } = described;
      say(`session indexed${usage === undefined ? "" : ` (${usageText(usage)})`}`);
      if (record.continuo?.namedBy === "model") host?.nameSession?.(record.name);
    }
    if (described.kind === "failed")
      say(`index failed: ${oneLine(describeError(described.error).message, 80)}`);
    return described;
  } finally {
    const last = told.get(place);
    // Nobody waits for this: a session that ends sooner has no line any more.
    setTimeout(() => {
      if (told.get(place) !== last) return;
      told.delete(place);
      if (last !== undefined) changed();
    }, TOLD_MS).unref();
  }
}

function placeOf({ home, session }: OfferContext): string {
  return `${home.root}\n${session.host}/${session.id}`;
}
