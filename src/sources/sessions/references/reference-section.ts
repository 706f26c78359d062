import { fingerprint } from "../../../base/fingerprint.ts";
import { typed } from "../../../base/settings.ts";
import type { Item, Section } from "../../../compose/section.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import type { HostNote } from "../../../moments/ports/tool.ts";
import type { PromptMoment, StartMoment } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { priorityOf } from "../../order.ts";
import { catchUp, lookUp } from "../access.ts";
import { labels } from "../labels.ts";
import { openSessions, type Sessions } from "../library.ts";
import { citationsOf } from "../quotes.ts";
import { findReferences, MOST_LEFT_OUT, type Reference } from "../references.ts";
import type { PastSession } from "../session.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import type { Resolution } from "./resolve.ts";
import { type CardParts, sessionCard } from "./session-card.ts";

/** Tokens of the section's frame and of its items' names. */
const FRAME_TOKENS = 120;
/** A host is waiting, so only this share of the deadline is used for indexing first. */
const SYNC_SHARE = 0.3;
const BUSY_MS = 100;
const CITED = 3;

/**
 * Describes the sessions that a prompt refers to, and lists references that match none, so that the model does not
 * guess.
 */
export async function describeReferences(
  prompt: string,
  moment: StartMoment | PromptMoment,
  context: SourceContext,
): Promise<Answer> {
  const { used, leftOut } = findReferences(prompt);
  if (used.length === 0) return {};
  const { env, home, history, deadlineMs, signal, report } = context;
  const { keep, referenceTokens } = typed(SESSIONS_SETTINGS, context.settings);
  const library = openSessions({
    home: homeAt(home),
    env,
    history: await history(),
    keep,
    busyTimeoutMs: BUSY_MS,
    onFailure: report,
  });
  try {
    await catchUp(library, { sliceMs: deadlineMs * SYNC_SHARE, signal });
    const viewpoint = { project: context.knownProject().ids, self: moment.session.id };
    const share = Math.floor((referenceTokens - FRAME_TOKENS) / used.length);
    const outcomes = used.map((reference) => {
      const resolution = lookUp(library, reference, viewpoint);
      return resolution.kind === "found"
        ? found(library, reference, resolution, share)
        : notFound(reference, resolution);
    });
    const items = outcomes.map(({ outcome, isWhole, ...item }, i) => ({ ...item, priority: -i }));
    if (leftOut > 0) items.push(tooMany(leftOut));
    const section: Section = {
      source: "sessions",
      title: "Sessions that the user refers to",
      nature: "reference",
      priority: priorityOf("references"),
      essential: true,
      items,
    };
    return {
      sections: [section],
      hostNotes: (delivered) => referenceNote(outcomes, leftOut, moment.at, delivered),
    };
  } finally {
    library.close();
  }
}

type ReferenceItem = Omit<Item, "priority"> & ReferenceOutcome;

function found(
  library: Sessions,
  reference: Reference,
  { session, by }: Extract<Resolution<PastSession>, { kind: "found" }>,
  tokens: number,
): ReferenceItem {
  const { question, ancestors, written } = reference;
  const parts: CardParts = {
    session,
    record: library.record(session),
    cited: question === undefined ? [] : citationsOf(library, session, question, CITED),
    question,
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
    // Keyed by session, so that a session with two names is delivered once.
    key: `${session.host}/${session.id}${asked}`,
    name: written,
    noun: "session",
    text: card,
    reason: `${written} in the prompt, by its ${by === "last" ? "time" : by}`,
    outcome: "resolved",
    isWhole: () => sessionCard({ ...parts, tokens: Number.POSITIVE_INFINITY }) === card,
  };
}

function notFound(
  reference: Reference,
  resolution: Exclude<Resolution<PastSession>, { kind: "found" }>,
): ReferenceItem {
  const { written } = reference;
  const [what, others, reason] =
    resolution.kind === "ambiguous"
      ? [`means more than one session`, resolution.candidates, "fits more than one session"]
      : [`names no session that is known here`, resolution.nearest, "names no known session"];
  const listed = labels(others).map((one) => `- ${one}`);
  return {
    key: `unresolved/${written}`,
    name: written,
    noun: `${resolution.kind} session`,
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

/** A reference in a prompt, and its result. */
interface ReferenceOutcome {
  readonly key: string;
  readonly text: string;
  readonly outcome: "resolved" | "not_found" | "ambiguous";
  /** Whether nothing was cut. Computed only on demand, because it needs a second rendering. */
  readonly isWhole: () => boolean;
}

/** A note for pi's programs, in the form that they know; undefined if nothing was delivered. */
function referenceNote(
  outcomes: readonly ReferenceOutcome[],
  leftOut: number,
  at: number,
  delivered: ReadonlySet<string>,
): HostNote[] {
  const isDelivered = ({ key }: ReferenceOutcome) => delivered.has(`sessions/${key}`);
  const shown = outcomes.filter(isDelivered);
  if (shown.length === 0) return [];
  const resolved = outcomes.filter(({ outcome }) => outcome === "resolved");
  const reasons = { not_found: 0, ambiguous: 0, over_limit: leftOut };
  for (const { outcome } of outcomes) if (outcome !== "resolved") reasons[outcome]++;
  const unresolvedCount = outcomes.length - resolved.length + leftOut;
  const data = {
    success: unresolvedCount === 0,
    resolvedCount: resolved.length,
    unresolvedCount,
    unresolvedReasons: Object.fromEntries(Object.entries(reasons).filter(([, count]) => count > 0)),
    // A session with two names is delivered once.
    injectedBytes: [...new Set(shown.map(({ text }) => text))].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    ),
    truncated: resolved.some((one) => !isDelivered(one) || !one.isWhole()),
    timestamp: new Date(at).toISOString(),
  };
  return [{ type: "session-reference:inject", data }];
}
