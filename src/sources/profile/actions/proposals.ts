import { ContinuoError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, oneOf, optional, texts } from "../../../moments/actions/fields.ts";
import { notAsked } from "../../../moments/actions/not-asked.ts";
import { action, type Place, type Question } from "../../../moments/ports/action.ts";
import { sharedMeaning } from "../../../search/meaning/shared.ts";
import { byPrefix, newId } from "../file/ids.ts";
import type { EvidenceRecord } from "../file/sidecar.ts";
import { accept as acceptOne, type Decided, reject as rejectOne, withProposals } from "../learning/decide.ts";
import { evidenceById, pendingProposals, refusedValues } from "../learning/decision-log.ts";
import { changeProfile } from "../learning/profile.ts";
import { type Nearness, similarLearning } from "../learning/relevance.ts";
import { wishMeaning } from "../learning/same-wish.ts";
import { placeFor, tagsFor } from "../learning/suggestions.ts";
import { normalise, visible } from "../text.ts";
import type { Proposal, SeedConfig } from "../types.ts";
import {
  commitBlocks,
  DECISION,
  DECLINED,
  decideAll,
  HERE,
  IDS,
  iso,
  LOCK,
  profileOf,
  replaceBy,
  SUPERSEDES,
  tagsOf,
  words,
} from "./decide.ts";

export const proposals = action({
  name: "seed proposals",
  about: "list suggested learnings; clean: remove those already decided",
  effect: "writes",
  changes: "inbox",
  input: fields({
    what: optional(
      oneOf("what to do (default: list)", ["list", "clean"], { typed: "word", value: "list|clean" }),
    ),
  }),
  examples: [["continuo seed proposals", "list them with their ids"]],
  run: async ({ what }, place) =>
    what === "clean"
      ? { listed: undefined, cleaned: await clean(place) }
      : { listed: list(place), cleaned: undefined },
  json: ({ listed, cleaned }) =>
    listed === undefined
      ? { removed: cleaned.removed, committed: cleaned.result?.committed ?? false }
      : { proposals: listed.map(({ one, heard }) => ({ ...one, evidence: heard ?? null })) },
  view({ listed, cleaned }) {
    if (listed === undefined)
      return [
        cleaned.removed === 0
          ? "Nothing to clean."
          : `Removed ${count(cleaned.removed, "decided suggestion")}.`,
        ...commitBlocks(cleaned.result),
      ];
    if (listed.length === 0) return ["No pending suggestions."];
    return [
      ...listed.flatMap(describeProposal),
      "",
      "To decide: continuo review, or continuo seed accept|reject ID…",
    ].map((line) => ({ text: line, hang: 2 }));
  },
});

interface Listed {
  readonly one: Proposal;
  readonly heard: EvidenceRecord | undefined;
  readonly like: ReturnType<typeof similarLearning>;
  /** The rejected wish because of which it is held back. */
  readonly rejected: string | undefined;
}

function list(place: Place): Listed[] {
  const profile = profileOf(place);
  const heldBack = profile.heldBack();
  const all = profile.pending();
  if (all.length === 0) return [];
  const heard = evidenceById(profile.records());
  const nearness: Nearness = wishMeaning(sharedMeaning(place.home)).nearness;
  return [...all.filter(({ id }) => !heldBack.has(id)), ...all.filter(({ id }) => heldBack.has(id))].map(
    (one) => ({
      one: { ...one, content: visible(one.content) },
      heard: heard.get(one.id),
      like: similarLearning(profile.config, one.content, nearness),
      rejected: heldBack.get(one.id),
    }),
  );
}

/** Everything that the user needs to decide. */
function describeProposal({ one, heard, like, rejected }: Listed): string[] {
  const where = [heard?.host, heard?.project].filter((part) => part !== undefined).join(", ");
  return [
    `${one.id}  [${one.type}] "${one.content}"`,
    ...(heard === undefined || heard.quote === "" ? [] : [`    you said: "${visible(heard.quote)}"`]),
    `    from ${visible(heard?.file ?? `session ${one.source}`)}${where === "" ? "" : ` (${visible(where)})`}, ${one.extractedAt.slice(0, 10)}`,
    ...(like === undefined
      ? []
      : [`    similar to ${like.id} "${visible(like.content)}" (--supersedes replaces it)`]),
    ...(rejected === undefined ? [] : [`    similar to one you rejected: "${visible(rejected)}"`]),
  ];
}

/** Removes decided proposals from the seed. The sidecar remembers the rejected ones. */
async function clean(place: Place) {
  let removed = 0;
  if (profileOf(place).state === "none") return { removed, result: undefined };
  const result = await changeProfile(
    placeFor(place.home.root, place.env),
    (config, records) => {
      const pending = config.state.proposals.filter((one) => one.status === "pending");
      removed = config.state.proposals.length - pending.length;
      if (removed === 0) return undefined;
      // Rejections by another program are only in the seed, so they are copied to the sidecar first.
      const refused = refusedValues(records);
      const steps = config.state.proposals
        .filter((one) => one.status === "rejected")
        .map((proposal) => ({ do: "reject" as const, proposal, value: normalise(proposal.content) }))
        .filter(({ value }) => !refused.has(value));
      return {
        config: withProposals(config, pending),
        kind: "Cleanup",
        what: `removed ${removed} decided proposals`,
        records: steps.length === 0 ? [] : [{ kind: "decided", at: iso(place), batch: newId(), steps }],
      };
    },
    LOCK,
  );
  return { removed, result };
}

const CHOSEN = {
  ids: optional(IDS),
  all: optional(flag("decide on all pending suggestions")),
  shown: optional(texts("with all: the ids of those that were shown", { typed: "never" })),
};

interface Chosen {
  readonly ids?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  readonly shown?: readonly string[] | undefined;
}

export const accept = action({
  name: "seed accept",
  about: "accept suggestions",
  input: fields({
    ...CHOSEN,
    edit: optional(words("accept it with this text instead", { value: "TEXT", fallback: "its own text" })),
    project: HERE,
    supersedes: SUPERSEDES,
  }),
  examples: [
    ["continuo seed accept 3f2a", "accept the suggestion whose id begins like this"],
    ['continuo seed accept 3f2a --edit "Use pnpm."', "accept it with another text"],
  ],
  asks: (chosen, place) => askAll("Accept", chosen, place),
  run({ edit: content, supersedes, project, ...chosen }, place) {
    if (content !== undefined && chosen.ids?.length !== 1)
      throw new ContinuoError("usage", "--edit changes one suggestion", { hint: "pass exactly one id" });
    const own = tagsOf(project, place);
    return decideOn(place, "Confirm", chosen, (config, proposal, heard) => {
      const tags = own.length > 0 ? own : tagsFor(undefined, heard);
      const done = acceptOne(config, proposal, { now: iso(place), tags, content });
      return supersedes === undefined ? [done] : [done, replaceBy(done.config, supersedes, proposal.id)];
    });
  },
  ...DECISION,
});

export const reject = action({
  name: "seed reject",
  about: "reject suggestions; they are not suggested again",
  input: fields(CHOSEN),
  examples: [["continuo seed reject 3f2a", "reject one"]],
  asks: (chosen, place) => askAll("Reject", chosen, place),
  run: (chosen, place) =>
    decideOn(place, "Reject", chosen, (config, proposal) => [rejectOne(config, proposal, iso(place))]),
  ...DECISION,
});

function askAll(what: string, { all = false, ...chosen }: Chosen, place: Place): Question | undefined {
  const pending = all ? profileOf(place).pending() : [];
  if (pending.length === 0) return undefined;
  return {
    ask: `${what} ${pending.length === 1 ? "1 suggestion" : `all ${pending.length} suggestions`}?`,
    unasked: notAsked(),
    declined: DECLINED,
    // Suggestions that arrive while the user reads the question were not counted in it.
    input: { ...chosen, all, shown: pending.map(({ id }) => id) },
  };
}

async function decideOn(
  place: Place,
  kind: "Confirm" | "Reject",
  { ids = [], all, shown }: Chosen,
  decide: (config: SeedConfig, proposal: Proposal, heard: EvidenceRecord | undefined) => readonly Decided[],
) {
  if (all !== true && ids.length === 0)
    throw new ContinuoError("usage", "ID is missing", {
      hint: `usage: continuo seed ${kind === "Reject" ? "reject" : "accept"} ID…, or --all; list the ids: continuo seed proposals`,
    });
  return decideAll(place, kind, (first, records) => {
    const pending = pendingProposals(first, () => records);
    const heard = evidenceById(records);
    const chosen = all
      ? pending.filter(({ id }) => shown === undefined || shown.includes(id))
      : ids.map((typed) => byPrefix(pending, typed, "pending suggestion"));
    const done: Decided[] = [];
    for (const proposal of new Set(chosen))
      done.push(...decide(done.at(-1)?.config ?? first, proposal, heard.get(proposal.id)));
    return done;
  });
}
