import { redact } from "../../../store/redact.ts";
import { changeSeed } from "../file/change.ts";
import { newId } from "../file/ids.ts";
import { acceptedContents, type EvidenceRecord, refusedValues, type SidecarRecord } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import { CATEGORIES, type LearningType, type Proposal, type SeedConfig } from "../types.ts";
import { withProposals } from "./decide.ts";

export interface Candidate {
  readonly type: LearningType;
  readonly content: string;
  /** The user's own words that it comes from. */
  readonly evidence: string;
  readonly confidence?: number;
  readonly method?: Proposal["method"];
  /** The turn that it was said in, and when. */
  readonly turn?: string;
  readonly saidAt?: number;
}

export interface ProposeOptions {
  readonly seedPath: string;
  readonly sessionId: string;
  readonly host?: string;
  /** Where it was heard: a project's id, already as `scope.ts` writes it. */
  readonly project?: string;
  readonly now: number;
  readonly lockWaitMs?: number;
  /** How many may be put before the human at once; the first ones are. */
  readonly atMost?: number;
  /** Two normalised values that this makes the same are one. */
  readonly coreOf?: (value: string) => string;
}

export type Skipped = "refused" | "pending" | "learned" | "empty" | "secret";

export interface Proposed {
  readonly proposed: readonly Proposal[];
  readonly skipped: readonly { readonly candidate: Candidate; readonly because: Skipped }[];
}

const MAX_CONTENT = 300;
const MAX_QUOTE = 500;
const LOCK_WAIT_MS = 300;

/**
 * Puts candidates before the human, each value once: not if they turned it down, have it before them, or learned it
 * already. Nothing else happens here, and nothing takes effect. Throws when there is no seed that can be used.
 */
export async function propose(candidates: readonly Candidate[], options: ProposeOptions): Promise<Proposed> {
  let outcome: Proposed = { proposed: [], skipped: [] };
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
  readonly skipped: Proposed["skipped"];
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

/** What need not be proposed, by its normalised value. */
function knownValues(config: SeedConfig, records: readonly SidecarRecord[]): Map<string, Skipped> {
  const known = new Map<string, Skipped>();
  const all = (contents: readonly string[], because: Skipped) => {
    for (const content of contents) known.set(normalise(content), because);
  };
  const { proposals } = config.state;
  const withStatus = (status: Proposal["status"]) =>
    proposals.filter((one) => one.status === status).map((one) => one.content);
  all(withStatus("pending"), "pending");
  // Other programs keep what was turned down in the seed only.
  all(withStatus("rejected"), "refused");
  for (const value of refusedValues(records)) known.set(value, "refused");
  // A proposal that was reworded when it was accepted is known by its first words too.
  all(withStatus("accepted"), "learned");
  all(acceptedContents(records), "learned");
  for (const category of CATEGORIES)
    all(
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
