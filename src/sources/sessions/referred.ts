import { fingerprint } from "../../base/fingerprint.ts";
import { typed } from "../../base/settings.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Answer, Surroundings } from "../../moments/ports/source.ts";
import type { PromptMoment, StartMoment } from "../../moments/types.ts";
import { homeAt } from "../../store/home.ts";
import { catchUp, lookUp } from "./access.ts";
import { citationsOf } from "./ask.ts";
import { openSessions, type Sessions } from "./library.ts";
import { referenceNote, type Told } from "./reference-note.ts";
import { findReferences, MOST_LEFT_OUT, type Reference } from "./references.ts";
import type { Resolution } from "./resolve.ts";
import type { PastSession } from "./session.ts";
import { type CardParts, sessionCard } from "./session-card.ts";
import { SESSIONS_SETTINGS } from "./settings.ts";
import { label } from "./words-for-people.ts";

/** After rules, before what is only near the prompt's words: the person asked for this by name. */
const PRIORITY = 60;
/** What the section, and the names of its items, cost besides the texts. */
const FRAME_TOKENS = 120;
/** A host waits: of what changed on disk only so much is looked at first. */
const SYNC_SHARE = 0.3;
const BUSY_MS = 100;
const CITED = 3;

/** What the sessions that a prompt refers to were about; and which references mean none, so that nobody guesses. */
export async function referred(
  prompt: string,
  moment: StartMoment | PromptMoment,
  surroundings: Surroundings,
): Promise<Answer> {
  const { used, leftOut } = findReferences(prompt);
  if (used.length === 0) return {};
  const { env, home, history, deadlineMs, signal, report } = surroundings;
  const { keep, referenceTokens } = typed(SESSIONS_SETTINGS, surroundings.settings);
  const library = openSessions({
    home: homeAt(home),
    env,
    history: await history(),
    keep,
    busyTimeoutMs: BUSY_MS,
    onTrouble: report,
  });
  try {
    await catchUp(library, { sliceMs: deadlineMs * SYNC_SHARE, signal });
    const viewpoint = { project: moment.project.id, self: moment.session.id };
    const share = Math.floor((referenceTokens - FRAME_TOKENS) / used.length);
    const told = used.map((reference) => {
      const resolution = lookUp(library, reference, viewpoint);
      return resolution.kind === "found"
        ? found(library, reference, resolution, share)
        : notFound(reference, resolution);
    });
    const items = told.map(({ outcome, isWhole, ...item }, i) => ({ ...item, priority: -i }));
    if (leftOut > 0) items.push(tooMany(leftOut));
    const section: Section = {
      source: "sessions",
      title: "Sessions that the user refers to",
      nature: "reference",
      priority: PRIORITY,
      essential: true,
      items,
    };
    return {
      sections: [section],
      hostNotes: (delivered) => referenceNote(told, leftOut, moment.at, delivered),
    };
  } finally {
    library.close();
  }
}

type Unranked = Omit<Item, "priority"> & Told;

function found(
  library: Sessions,
  reference: Reference,
  { session, by }: Extract<Resolution<PastSession>, { kind: "found" }>,
  tokens: number,
): Unranked {
  const { question, ancestors, written } = reference;
  const parts: CardParts = {
    session,
    record: library.record(session),
    cited: question === undefined ? [] : citationsOf(library, session, question, CITED),
    ...(question !== undefined && { question }),
    ancestors:
      ancestors === 0
        ? []
        : library
            .ancestors(session)
            .slice(0, ancestors)
            .map((one) => ({ session: one, record: library.record(one) })),
    tokens,
  };
  const card = sessionCard(parts);
  const asked = [
    ancestors > 0 ? `~${ancestors}` : "",
    question === undefined ? "" : `?${fingerprint(question)}`,
  ].join("");
  return {
    // By the session, not by how it was written: the same one under two names is told once.
    key: `${session.host}/${session.id}${asked}`,
    name: written,
    text: card,
    reason: `${written} in the prompt, by its ${by === "last" ? "time" : by}`,
    outcome: "resolved",
    isWhole: () => sessionCard({ ...parts, tokens: Number.POSITIVE_INFINITY }) === card,
  };
}

function notFound(
  reference: Reference,
  resolution: Exclude<Resolution<PastSession>, { kind: "found" }>,
): Unranked {
  const { written } = reference;
  const [what, others, reason] =
    resolution.kind === "ambiguous"
      ? [`means more than one session`, resolution.candidates, "fits more than one session"]
      : [`names no session that is known here`, resolution.nearest, "names no known session"];
  const listed = others.map((one) => `- ${label(one)}`);
  return {
    key: `unresolved/${written}`,
    name: written,
    text: [
      `${written} ${what}. Do not guess what was in it: ask the user${listed.length > 0 ? " which one is meant" : ""}.`,
      ...(listed.length > 0
        ? [resolution.kind === "ambiguous" ? "It could be:" : "Nearest:", ...listed]
        : []),
    ].join("\n"),
    reason: `${written} in the prompt ${reason}`,
    outcome: resolution.kind === "ambiguous" ? "ambiguous" : "not_found",
    isWhole: () => true,
  };
}

function tooMany(leftOut: number): Item {
  return {
    key: "left-out",
    name: "more references",
    text: `${leftOut < MOST_LEFT_OUT ? "" : "At least "}${leftOut} more references of this prompt were left out: at most 3 are told at once. query_session can be asked about any.`,
    reason: "more than 3 references in one prompt",
    priority: -10,
  };
}
