import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { type LanguageModel, usageText } from "../../../models/language-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import type { OfferContext, Work } from "../../../moments/ports/offer.ts";
import { catchUp, withSessions } from "../access.ts";
import { type Described, modelUnusable } from "../describe/describe.ts";
import { oneLine } from "../labels.ts";
import type { Sessions } from "../library.ts";
import type { SessionKey } from "../session.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";

/** How long the status line shows the result. */
const SHOWN_MS = 5_000;

/** The status line of each session that is being described or just was. */
const statusLines = new Map<string, string>();

export function describingStatus(context: OfferContext): string {
  return statusLines.get(placeOf(context)) ?? "";
}

/**
 * If none of the configured models is usable, the user is informed when a session starts, not only when a record is
 * missing.
 */
export async function checkModels({ settings, env, host }: OfferContext): Promise<void> {
  const { model, problems } = await chooseModel(modelSettings(settings), env, host?.models);
  if (model === undefined) throw modelUnusable(problems);
}

/** A job for an idle agent: lets a model rewrite the session's record if there are enough new prompts. */
export async function describeWhenDue(context: OfferContext, { signal, changed }: Work): Promise<void> {
  const { session, settings, env, host, transcript } = context;
  if (!(await context.history()).has(session.host)) return;
  const { model } = await chooseModel(modelSettings(settings), env, host?.models);
  if (model === undefined) return; // reported when the session started
  const key = { host: session.host as string, id: session.id };
  await withSessions(context, 0, async (library) => {
    await catchUp(library, { only: { ...key, ...(transcript !== undefined && { transcript }) }, signal });
    const leastPrompts = typed(SESSIONS_SETTINGS, settings).minNewUserMessages;
    const described = await describe(library, key, { context, model, leastPrompts, signal, changed });
    if (described.kind === "failed") throw described.error;
  });
}

/** For a user who asked for it: describes now or says why not. Empty if no model is configured, else the result. */
export async function describeNow(
  library: Sessions,
  key: SessionKey,
  context: OfferContext,
  changed: () => void,
): Promise<string> {
  const { settings, env, host } = context;
  const { model, problems } = await chooseModel(modelSettings(settings), env, host?.models);
  if (model === undefined)
    return problems.length === 0 ? "" : `; extracted, because no model can be used: ${problems.join("; ")}`;
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
  const show = (text: string): void => {
    statusLines.set(place, text);
    changed();
  };
  try {
    const described = await library.describe(key, {
      model,
      leastPrompts,
      signal,
      onAsk: (number) => show(number === 1 ? "indexing…" : `indexing… (retry ${number - 1}/2)`),
      onAttempt: ({ model: asked, usage, error }) =>
        host?.note?.("session-index:index", {
          success: error === undefined,
          sessionId: key.id,
          model: asked,
          timestamp: new Date().toISOString(),
          ...(usage && { usage }),
          error,
        }),
    });
    if (described.kind === "written") {
      const { record, usage } = described;
      show(`session indexed${usage === undefined ? "" : ` (${usageText(usage)})`}`);
      if (record.continuo?.namedBy === "model") host?.nameSession?.(record.name);
    }
    if (described.kind === "failed")
      show(`index failed: ${oneLine(describeError(described.error).message, 80)}`);
    return described;
  } finally {
    const last = statusLines.get(place);
    // Nobody waits for this timer: if the session ends sooner, there is no status line any more.
    setTimeout(() => {
      if (statusLines.get(place) !== last) return;
      statusLines.delete(place);
      if (last !== undefined) changed();
    }, SHOWN_MS).unref();
  }
}

function placeOf({ home, session }: OfferContext): string {
  return `${home.root}\n${session.host}/${session.id}`;
}
