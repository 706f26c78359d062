import { typed } from "../../../base/settings.ts";
import type { Heard, SourceContext } from "../../../moments/ports/source.ts";
import type { Moment } from "../../../moments/types.ts";
import { RULES_SETTINGS } from "../settings.ts";
import { draftsFrom } from "./drafts-from.ts";
import { draftOf, isKnown } from "./made.ts";
import type { Draft, WaitingRecord } from "./records.ts";
import { changeWaiting, roomForDrafts } from "./waiting.ts";

const LOCK_WAIT_MS = 200;

/**
 * Drafts from what the user said. They wait for a decision; nothing is enforced. Returns the sentences that a draft
 * covers completely, so that they need not be suggested a second time.
 */
export async function draftHeard(
  heard: readonly Heard[],
  { session, project, at }: Pick<Moment, "session" | "project" | "at">,
  { home, readOnly, settings }: Pick<SourceContext, "home" | "readOnly" | "settings">,
): Promise<readonly string[]> {
  if (readOnly || typed(RULES_SETTINGS, settings).drafts === "off") return [];
  const whole: { readonly sentence: string; readonly id: string }[] = [];
  const drafts = heard.flatMap(({ sentence, turn, at: saidAt, scope = "everywhere" }) =>
    draftsFrom(sentence, { as: "said" }).flatMap((drafted): Draft[] => {
      const from = {
        kind: "said" as const,
        host: session.host,
        session: session.id,
        turn,
        at: saidAt,
        scope,
      };
      const draft = draftOf(drafted, from, project);
      if (draft !== undefined && drafted.isWhole) whole.push({ sentence, id: draft.id });
      return draft === undefined ? [] : [draft];
    }),
  );
  if (drafts.length === 0) return [];
  const { left } = await changeWaiting(
    home,
    (waiting) => {
      const room = roomForDrafts(waiting, true);
      const fresh = drafts.filter((draft) => !isKnown(draft, waiting));
      return {
        records: fresh.slice(0, room).map((draft): WaitingRecord => ({ kind: "draft", at, draft })),
        left: fresh.slice(room).map(({ id }) => id),
      };
    },
    { lockWaitMs: LOCK_WAIT_MS },
  );
  return whole.flatMap(({ sentence, id }) => (left.includes(id) ? [] : [sentence]));
}
