import { fingerprint } from "../../../base/fingerprint.ts";
import type { Item, Section } from "../../../compose/section.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import type { HostNote } from "../../../moments/ports/tool.ts";
import type { PromptMoment, StartMoment } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { priorityOf } from "../../order.ts";
import { catchUp, lookUp } from "../access.ts";
import { citationsOf } from "../answers/quotes.ts";
import { label } from "../labels.ts";
import { openSessions, type Sessions } from "../library.ts";
import type { PastSession } from "../session.ts";
import { findReferences, MOST_LEFT_OUT, type Reference } from "./references.ts";
import type { Resolution } from "./resolve.ts";
import { type CardParts, sessionCard } from "./session-card.ts";

/** After rules, before what is only near the prompt's words: the person asked for this by name. */
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
  context: SourceContext,
): Promise<Answer> {
  const { used, leftOut } = findReferences(prompt);
  if (used.length === 0) return {};
  const { env, home, history, settings, deadlineMs, signal, report } = context;
  const library = openSessions({
    home: homeAt(home),
    env,
    history: await history(),
    keep: settings["keep"] !== false,
    busyTimeoutMs: BUSY_MS,
    onTrouble: report,
  });
  try {
    await catchUp(library, { sliceMs: deadlineMs * SYNC_SHARE, signal });
    const viewpoint = { project: moment.project.id, self: moment.session.id };
    const share = Math.floor((Number(settings["referenceTokens"]) - FRAME_TOKENS) / used.length);
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
      priority: priorityOf("references"),
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

/** A reference of a prompt, and what became of it. */
export interface Told {
  readonly key: string;
  readonly text: string;
  readonly outcome: "resolved" | "not_found" | "ambiguous";
  /** All that is known fitted into the text. Only asked where somebody wants to know: it takes a second text. */
  readonly isWhole: () => boolean;
}

/** What pi's programs read about references, in the form that they know; none when nothing of it was delivered. */
export function referenceNote(
  told: readonly Told[],
  leftOut: number,
  at: number,
  delivered: ReadonlySet<string>,
): HostNote[] {
  const isDelivered = ({ key }: Told) => delivered.has(`sessions/${key}`);
  const shown = told.filter(isDelivered);
  if (shown.length === 0) return [];
  const resolved = told.filter(({ outcome }) => outcome === "resolved");
  const reasons = { not_found: 0, ambiguous: 0, over_limit: leftOut };
  for (const { outcome } of told) if (outcome !== "resolved") reasons[outcome]++;
  const unresolvedCount = told.length - resolved.length + leftOut;
  const data = {
    success: unresolvedCount === 0,
    resolvedCount: resolved.length,
    unresolvedCount,
    unresolvedReasons: Object.fromEntries(Object.entries(reasons).filter(([, count]) => count > 0)),
    // One session under two names is delivered once.
    injectedBytes: [...new Set(shown.map(({ text }) => text))].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    ),
    truncated: resolved.some((one) => !isDelivered(one) || !one.isWhole()),
    timestamp: new Date(at).toISOString(),
  };
  return [{ type: "session-reference:inject", data }];
}
