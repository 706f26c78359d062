import { redact } from "../../../store/redact.ts";
import { newId } from "../file/ids.ts";
import type { EvidenceRecord, Scope, SidecarRecord } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import { CATEGORIES, type LearningType, type Proposal, type SeedConfig } from "../types.ts";
import { withProposals } from "./decide.ts";
import { acceptedContents, pendingProposals, refusedValues, similarToRejected } from "./decision-log.ts";
import { changeProfile, type Place } from "./profile.ts";

export interface Candidate {
  readonly type: LearningType;
  readonly content: string;
  /** The user's own words from which it is derived. */
  readonly evidence: string;
  readonly confidence?: number;
  readonly method?: Proposal["method"];
  readonly scope?: Scope;
  readonly by?: EvidenceRecord["by"];
  /** The turn in which the user wrote it, and when. */
  readonly turn?: string;
  readonly saidAt?: number;
  /** The file and line from which it was imported, if not from a session. */
  readonly file?: string;
}

export interface ProposeOptions {
  readonly place: Place;
  readonly sessionId: string;
  readonly host?: string;
  /** The project that it comes from: its tag (`tagFor`), and its display name. */
  readonly project?: string;
  readonly projectName?: string;
  readonly now: number;
  readonly lockWaitMs?: number;
  /** How many may become proposals; the first ones are taken. */
  readonly atMost?: number;
  /** How many from this session may be pending. */
  readonly perSession?: number;
  /** Reduces a normalised value to its core; values with the same core count as equal. */
  readonly coreOf?: (value: string) => string;
  /** Whether two contents are the same wish in other words. */
  readonly isSame?: (a: string, b: string) => boolean;
  /** Which of these is possibly, but not certainly, the same wish as the text. */
  readonly nearest?: (text: string, among: readonly string[]) => string | undefined;
}

export type Skipped = "refused" | "pending" | "learned" | "empty" | "secret" | "session-full" | "full";

export interface ProposeResult {
  readonly proposed: readonly Proposal[];
  /** The ids of those that are similar to a rejected wish, which no notice counts. */
  readonly heldBack: ReadonlySet<string>;
  readonly skipped: readonly { readonly candidate: Candidate; readonly because: Skipped }[];
}

/** How many may be pending in total. */
export const MAX_PENDING = 50;
/** How many of them may be similar to a rejected wish. No notice counts these, so they must not fill the list. */
export const MAX_HELD_BACK = 20;
const MAX_CONTENT = 300;
const MAX_QUOTE = 500;
const LOCK_WAIT_MS = 300;

/**
 * Adds candidates as pending proposals, without duplicates. Skips values that the user rejected, or that are already
 * pending or learned, even in other words. A value that is only similar to a rejected one is held back. A proposal has
 * no effect until the user accepts it. Throws if the seed is damaged.
 */
export async function propose(
  candidates: readonly Candidate[],
  options: ProposeOptions,
): Promise<ProposeResult> {
  let outcome: ProposeResult = { proposed: [], heldBack: new Set(), skipped: [] };
  if (candidates.length === 0) return outcome;
  await changeProfile(
    options.place,
    (config, records) => {
      const { chosen, skipped } = choose(candidates, config, records, options);
      const proposed = chosen.map((one) => one.proposal);
      const held = chosen.flatMap((one) => (one.similarTo === undefined ? [] : [one.proposal.id]));
      outcome = { proposed, heldBack: new Set(held), skipped };
      if (proposed.length === 0) return undefined;
      return {
        config: withProposals(config, [...config.state.proposals, ...proposed]),
        kind: "Learn",
        what: `extracted ${proposed.length} proposal${proposed.length === 1 ? "" : "s"}`,
        records: chosen.map((one) => evidence(one, options)),
      };
    },
    { lockWaitMs: options.lockWaitMs ?? LOCK_WAIT_MS },
  );
  return outcome;
}

interface Chosen {
  readonly proposal: Proposal;
  readonly candidate: Candidate;
  /** The similar rejected wish. */
  readonly similarTo?: string;
}

interface Choice {
  readonly chosen: readonly Chosen[];
  readonly skipped: ProposeResult["skipped"];
}

function choose(
  candidates: readonly Candidate[],
  config: SeedConfig,
  records: readonly SidecarRecord[],
  options: ProposeOptions,
): Choice {
  const { coreOf = (value: string) => value, isSame = () => false, nearest = () => undefined } = options;
  const known = knownValues(config, records).map((one) => ({ ...one, core: coreOf(one.value) }));
  const byCore = new Map(known.map(({ core, because }) => [core, because]));
  const pending: Pick<Proposal, "source">[] = pendingProposals(config, () => records);
  const refused = known.flatMap((one) => (one.because === "refused" ? [one.content] : []));
  let heldBack = similarToRejected(config, records).size;
  const chosen: Chosen[] = [];
  const skipped: { candidate: Candidate; because: Skipped }[] = [];
  for (const candidate of candidates) {
    if (chosen.length >= (options.atMost ?? Number.POSITIVE_INFINITY)) break;
    const content = cut(visible(candidate.content), MAX_CONTENT);
    const value = normalise(content);
    const core = coreOf(value);
    const whole = visible(candidate.content);
    const isSecret = redact(whole) !== whole;
    const because =
      core === ""
        ? "empty"
        : isSecret
          ? "secret"
          : (byCore.get(core) ??
            known.find((one) => isSame(content, one.content))?.because ??
            isFull(pending, options));
    if (because !== undefined) {
      skipped.push({ candidate, because });
      continue;
    }
    const similarTo = nearest(content, refused);
    if (similarTo !== undefined && ++heldBack > MAX_HELD_BACK) {
      skipped.push({ candidate, because: "refused" });
      continue;
    }
    pending.push({ source: options.sessionId });
    byCore.set(core, "pending");
    known.push({ value, core, content, because: "pending" });
    const proposal = proposalOf(candidate, content, options);
    chosen.push({ proposal, candidate, similarTo });
  }
  return { chosen, skipped };
}

/** Whether so many are pending that the user would not read more. */
function isFull(
  pending: readonly Pick<Proposal, "source">[],
  { sessionId, perSession = MAX_PENDING }: ProposeOptions,
): Skipped | undefined {
  if (pending.length >= MAX_PENDING) return "full";
  return pending.filter((one) => one.source === sessionId).length >= perSession ? "session-full" : undefined;
}

interface Known {
  readonly value: string;
  readonly content: string;
  readonly because: Skipped;
}

/** What is not proposed again, and why. If a value occurs more than once, the last occurrence counts. */
function knownValues(config: SeedConfig, records: readonly SidecarRecord[]): Known[] {
  const { proposals } = config.state;
  const withStatus = (status: Proposal["status"]) =>
    proposals.filter((one) => one.status === status).map((one) => one.content);
  const known = (contents: readonly string[], because: Skipped): Known[] =>
    contents.map((content) => ({ value: normalise(content), content, because }));
  return [
    ...known(withStatus("pending"), "pending"),
    // Other programs record rejections only in the seed.
    ...known(withStatus("rejected"), "refused"),
    ...[...refusedValues(records)].map(([value, content]) => ({
      value,
      content,
      because: "refused" as const,
    })),
    // A proposal that was reworded on acceptance is also recognised by its original words.
    ...known(withStatus("accepted"), "learned"),
    ...known(acceptedContents(records), "learned"),
    ...CATEGORIES.flatMap((category) =>
      known(
        config.learned[category].map((one) => one.content),
        "learned",
      ),
    ),
  ];
}

function proposalOf(candidate: Candidate, content: string, options: ProposeOptions): Proposal {
  return {
    id: newId(),
    type: candidate.type,
    content,
    source: options.sessionId || "unknown",
    extractedAt: new Date(options.now).toISOString(),
    status: "pending",
    method: candidate.method,
    confidence: candidate.confidence,
  };
}

function evidence({ proposal, candidate, similarTo }: Chosen, options: ProposeOptions): EvidenceRecord {
  return {
    kind: "evidence",
    at: proposal.extractedAt,
    id: proposal.id,
    quote: cut(redact(visible(candidate.evidence)), MAX_QUOTE),
    session: options.sessionId,
    turn: candidate.turn,
    ...(candidate.saidAt === undefined ? {} : { said: new Date(candidate.saidAt).toISOString() }),
    host: options.host,
    file: candidate.file,
    project: options.project,
    projectName: options.projectName,
    scope: candidate.scope,
    by: candidate.by,
    similarTo,
  };
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`;
}
