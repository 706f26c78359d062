import { loadSourceSettings } from "../../store/config.ts";
import { homeAt } from "../../store/home.ts";
import type { Inbox, InboxAnswer, InboxOptions, PendingSuggestion } from "../ports/inbox.ts";
import type { SourceModule } from "../ports/source.ts";

/** The inboxes of all sources that are on, as one. */
export async function openInboxes(modules: readonly SourceModule[], options: InboxOptions): Promise<Inbox> {
  const { config } = homeAt(options.home);
  const enabled = modules.filter(
    ({ inbox, source }) =>
      inbox !== undefined &&
      loadSourceSettings(config, source.name, source.settings, options.env).enabled !== false,
  );
  const opened = await Promise.all(enabled.map(async ({ inbox }) => (await inbox?.())?.(options)));
  return joinInboxes(opened.filter((one) => one !== undefined));
}

/** What inboxes say about a suggestion that was decided elsewhere, and if there is nothing to undo. */
export const NOT_PENDING = "This suggestion is no longer pending.";
export const NOTHING_DECIDED = "Nothing to undo.";

const GONE: InboxAnswer = { done: false, message: NOT_PENDING };
const NOTHING: InboxAnswer = { done: false, message: NOTHING_DECIDED };

/** Oldest first, those that are held back last. Ids and batches are unique over all inboxes. */
export function joinInboxes(inboxes: readonly Inbox[]): Inbox {
  const holderOf = (id: string) => inboxes.find((inbox) => inbox.pending().some((one) => one.id === id));
  const inOrder = (a: PendingSuggestion, b: PendingSuggestion) =>
    Number(a.similarTo !== undefined) - Number(b.similarTo !== undefined) || (a.at || 0) - (b.at || 0);
  const last = () =>
    inboxes
      .flatMap((inbox) => {
        const found = inbox.last();
        return found === undefined ? [] : [{ inbox, ...found }];
      })
      .sort((a, b) => b.at - a.at)[0];
  return {
    pending: () => {
      const [first = [], ...others] = inboxes.map((inbox) => inbox.pending());
      // One inbox knows its own order best.
      return others.every((list) => list.length === 0) ? first : [first, ...others].flat().sort(inOrder);
    },
    accept: async (id, choice) => (await holderOf(id)?.accept(id, choice)) ?? GONE,
    reject: async (id) => (await holderOf(id)?.reject(id)) ?? GONE,
    mute: async (id) => (await holderOf(id)?.mute?.(id)) ?? GONE,
    async undo(batch) {
      if (batch === undefined) {
        const newest = last();
        return newest === undefined ? NOTHING : newest.inbox.undo(newest.batch);
      }
      for (const inbox of inboxes) {
        const answer = await inbox.undo(batch);
        if (answer.done || answer.message !== NOTHING_DECIDED) return answer;
      }
      return NOTHING;
    },
    last,
    look: async (one) => (await holderOf(one.id)?.look?.(one)) ?? one,
  };
}

/** How many a notice counts: without those that are held back. */
export function countOf(inbox: Inbox): number {
  return inbox.pending().filter((one) => one.similarTo === undefined).length;
}
