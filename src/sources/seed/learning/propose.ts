import { redact } from "../../../store/redact.ts";
import { changeSeed } from "../file/change.ts";
import { newId } from "../file/ids.ts";
import type { EvidenceRecord, SidecarRecord } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import { CATEGORIES, type LearningType, type Proposal, type SeedConfig } from "../types.ts";
import { withProposals } from "./decide.ts";
import { acceptedContents, refusedValues } from "./decision-log.ts";

export interface Candidate {
  readonly type: LearningType;
  readonly content: string;
  /** The user's own words from which it is taken. */
  readonly evidence: string;
  readonly confidence?: number;
  readonly method?: Proposal["method"];
  /** The turn in which the user wrote it, and when. */
  readonly turn?: string;
  readonly saidAt?: number;
}

export interface ProposeOptions {
  readonly seedPath: string;
  readonly sessionId: string;
  readonly host?: string;
  /** The project that it comes from, as a tag (`tagFor`). */
  readonly project?: string;
  readonly now: number;
  readonly lockWaitMs?: number;
  /** How many may become proposals; the first ones do. */
  readonly atMost?: number;
  /** Reduces a normalised value to its core; values with the same core are one. */
  readonly coreOf?: (value: string) => string;
}

export type Skipped = "refused" | "pending" | "learned" | "empty" | "secret";

export interface ProposeResult {
  readonly proposed: readonly Proposal[];
  readonly skipped: readonly { readonly candidate: Candidate; readonly because: Skipped }[];
}

const MAX_CONTENT = 300;
const MAX_QUOTE = 500;
const LOCK_WAIT_MS = 300;

/**
 * Adds candidates as pending proposals, each value once. Values that the human rejected before, or that are pending or
 * learned already, are skipped. A proposal has no effect until a human accepts it. Throws if there is no usable seed.
 */
export async function propose(
  candidates: readonly Candidate[],
  options: ProposeOptions,
): Promise<ProposeResult> {
  let outcome: ProposeResult = { proposed: [], skipped: [] };
  if (candidates.length === 0) return outcome;
  await changeSeed(
    options.seedPath,
    (config, records) => {
      const { chosen, skipped } = choose(candidates, config, records, options);
      const proposed = chosen.map((one) => one.proposal);
      outcome = { proposed, skipped };
      if (proposed.length === 0) return undefined;
      return {
        config: withProposals(config, [...config.state.proposals, ...proposed]),
        kind: "Learn",
        what: `extracted ${proposed.length} proposal${proposed.length === 1 ? "" : "s"}`,
        records: chosen.map(({ proposal, candidate }) => evidence(proposal, candidate, options)),
      };
    },
    { lockWaitMs: options.lockWaitMs ?? LOCK_WAIT_MS },
  );
  return outcome;
}

interface Choice {
  readonly chosen: readonly { readonly proposal: Proposal; readonly candidate: Candidate }[];
  readonly skipped: ProposeResult["skipped"];
}

function choose(
  candidates: readonly Candidate[],
  config: SeedConfig,
  records: readonly SidecarRecord[],
  options: ProposeOptions,
): Choice {
  const { coreOf = (value: string) => value } = options;
  const known = new Map(
    [...knownValues(config, records)].map(([value, because]) => [coreOf(value), because]),
  );
  const chosen: { proposal: Proposal; candidate: Candidate }[] = [];
  const skipped: { candidate: Candidate; because: Skipped }[] = [];
  for (const candidate of candidates) {
    if (chosen.length >= (options.atMost ?? Number.POSITIVE_INFINITY)) break;
    const content = cut(visible(candidate.content), MAX_CONTENT);
    const value = coreOf(normalise(content));
    const whole = visible(candidate.content);
    const isSecret = redact(whole) !== whole;
    const because = value === "" ? "empty" : isSecret ? "secret" : known.get(value);
    if (because !== undefined) {
      skipped.push({ candidate, because });
      continue;
    }
    known.set(value, "pending");
    chosen.push({ proposal: proposalOf(candidate, content, options), candidate });
  }
  return { chosen, skipped };
}

/** Normalised values that are not proposed again, and why. */
function knownValues(config: SeedConfig, records: readonly SidecarRecord[]): Map<string, Skipped> {
  const known = new Map<string, Skipped>();
  const add = (contents: readonly string[], because: Skipped) => {
    for (const content of contents) known.set(normalise(content), because);
  };
  const { proposals } = config.state;
  const withStatus = (status: Proposal["status"]) =>
    proposals.filter((one) => one.status === status).map((one) => one.content);
  add(withStatus("pending"), "pending");
  // Other programs record rejections in the seed only.
  add(withStatus("rejected"), "refused");
  for (const value of refusedValues(records)) known.set(value, "refused");
  // A proposal that was reworded on acceptance is also known by its original words.
  add(withStatus("accepted"), "learned");
  add(acceptedContents(records), "learned");
  for (const category of CATEGORIES)
    add(
      config.learned[category].map((one) => one.content),
      "learned",
    );
  return known;
}

function proposalOf(candidate: Candidate, content: string, options: ProposeOptions): Proposal {
  return {
    id: newId(),
    type: candidate.type,
    content,
    source: options.sessionId || "unknown",
    extractedAt: new Date(options.now).toISOString(),
    status: "pending",
    ...(candidate.method === undefined ? {} : { method: candidate.method }),
    ...(candidate.confidence === undefined ? {} : { confidence: candidate.confidence }),
  };
}

function evidence(proposal: Proposal, candidate: Candidate, options: ProposeOptions): EvidenceRecord {
  return {
    kind: "evidence",
    at: proposal.extractedAt,
    id: proposal.id,
    quote: cut(redact(visible(candidate.evidence)), MAX_QUOTE),
    session: options.sessionId,
    ...(candidate.turn === undefined ? {} : { turn: candidate.turn }),
    ...(candidate.saidAt === undefined ? {} : { said: new Date(candidate.saidAt).toISOString() }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.project === undefined ? {} : { project: options.project }),
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
