import { ContinuoError } from "../../../base/errors.ts";
import { assertSearched, attempt, foundBlocks, type Searched } from "../../../moments/actions/found.ts";
import { inputOf } from "../../../moments/actions/words.ts";
import { alone } from "../../../moments/ports/action.ts";
import {
  findNotes,
  type NoteSearch,
  pageOf,
  preferredFor,
  search,
} from "../../../sources/notes/actions/search.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import { asCommand, placeFor, shownBlocks } from "../../actions/as-command.ts";
import type { Command, Input } from "../../command.ts";

/** Options that say nothing about sessions. */
const FOR_NOTES = ["folder", "tag", "mode", "min-score"] as const;
const PER_KIND = 5;
const ALONE = 10;

const forNotes = asCommand(alone("notes", search));

/** The search of notes, and beside it that of past sessions. */
export const searchCommand: Command = {
  ...forNotes,
  options: {
    notes: { type: "boolean", help: "search only notes" },
    sessions: { type: "boolean", help: "search only past sessions" },
    ...forNotes.options,
  },
  async run(input) {
    const asked = inputOf(search, input.values, input.positionals) as NoteSearch;
    const { hasNotes, hasSessions } = kindsOf(input);
    const isAlone = !(hasNotes && hasSessions);
    const paged = pageOf(asked, isAlone ? ALONE : PER_KIND);
    const place = placeFor(input);
    const notes = hasNotes ? await attempt("Notes", () => findNotes(asked, paged, place)) : undefined;
    const sessions = hasSessions
      ? await attempt("Past sessions", async () => {
          // Loaded when needed: the index of sessions is much code.
          const { findSessions } = await import("./search-sessions.ts");
          return findSessions(input, { query: asked.query, ...paged, isAlone });
        })
      : undefined;
    const kinds = [notes, sessions].filter((one) => one !== undefined);
    assertSearched(kinds);
    return {
      get data() {
        const nothing = { total: 0, notices: [], results: [] };
        return {
          query: asked.query,
          mode: asked.mode ?? "Hybrid",
          ...paged,
          preferred: preferredFor(asked, place)?.name ?? null,
          ...(dataOf(notes) ?? nothing),
          sessions: dataOf(sessions) ?? null,
          failures: kinds.flatMap((one) =>
            "failure" in one ? [{ kind: one === notes ? "notes" : "sessions", ...one.failure }] : [],
          ),
        };
      },
      text: shownBlocks((shown) => foundBlocks(kinds, paged, shown), input),
    };
  },
};

function dataOf<Data>(kind: Searched<Data> | undefined): Data | undefined {
  return kind === undefined || "failure" in kind ? undefined : kind.data;
}

/** Both, unless the person limits it to one. */
function kindsOf({ values, env }: Input): { readonly hasNotes: boolean; readonly hasSessions: boolean } {
  const forNotes = FOR_NOTES.find((name) => values[name] !== undefined);
  const [notes, sessions] = [values["notes"] === true, values["sessions"] === true];
  if (sessions && forNotes !== undefined)
    throw new ContinuoError("usage", `--${forNotes} is only for notes`, {
      hint: `leave out --sessions or --${forNotes}`,
    });
  if (notes || sessions) return { hasNotes: notes, hasSessions: sessions };
  const isOn = sessionsSettings(findHome(env), env)["enabled"] !== false;
  return { hasNotes: true, hasSessions: forNotes === undefined && isOn };
}
