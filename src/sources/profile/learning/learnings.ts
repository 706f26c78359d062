import { fingerprint } from "../../../base/fingerprint.ts";
import type { Step } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import { CATEGORIES, type LearningType, type Proposal, type SeedConfig, TYPE_OF } from "../types.ts";
import { allow, type Decided, learn } from "./decide.ts";
import { decisionsInForce, evidenceById } from "./decision-log.ts";
import type { Profile } from "./profile.ts";
import { TAG } from "./relevance.ts";
import { projectNameOf } from "./suggestions.ts";

/** A learning to show: one line, nothing hidden. */
interface ShownLearning {
  readonly id: string;
  readonly text: string;
  readonly kind: LearningType;
  /** The projects to which it applies; empty if it applies everywhere. */
  readonly projects: readonly string[];
  readonly quote: string;
  /** ISO time of its last confirmation. */
  readonly at: string;
}

/** Most recently confirmed first. */
export function shownLearnings(profile: Profile): ShownLearning[] {
  const heard = evidenceById(profile.records());
  return CATEGORIES.flatMap((category) =>
    profile.config.learned[category].map((one) => ({
      id: one.id,
      text: visible(one.content),
      kind: TYPE_OF[category],
      projects: one.tags.filter((tag) => tag.startsWith(TAG)).map((tag) => nameOf(tag, heard.get(one.id))),
      quote: visible(heard.get(one.id)?.quote ?? ""),
      at: one.confirmedAt ?? one.extractedAt,
    })),
  ).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

function nameOf(tag: string, heard: Parameters<typeof projectNameOf>[0]): string {
  return (heard?.project === tag ? projectNameOf(heard) : undefined) ?? visible(tag.slice(TAG.length));
}

/** Something that is never suggested again: a rejected proposal, or a removed learning. */
interface RejectedWish {
  /** Derived from its normalised value, so that it is the same however it was rejected. */
  readonly id: string;
  readonly text: string;
  readonly why: "rejected" | "removed";
  /** ISO time; empty if unknown. */
  readonly at: string;
  readonly proposal?: Proposal;
  readonly step?: Extract<Step, { readonly do: "reject" | "forget" }>;
}

type Known = Pick<Profile, "config"> & { readonly records: ReturnType<Profile["records"]> };

/** Newest first. Rejections by other programs are only in the seed. */
export function rejectedWishes({ config, records }: Known): RejectedWish[] {
  const byValue = new Map<string, RejectedWish>();
  for (const proposal of config.state.proposals) {
    if (proposal.status !== "rejected") continue;
    const value = normalise(proposal.content);
    byValue.set(value, {
      id: fingerprint(value),
      text: visible(proposal.content),
      why: "rejected",
      at: proposal.decidedAt ?? "",
      proposal,
    });
  }
  for (const { steps, at } of decisionsInForce(records)) {
    for (const step of steps) {
      if (step.do === "learn" || step.do === "allow") byValue.delete(step.value);
      else if (step.do === "reject" || step.do === "forget") {
        const of = step.do === "reject" ? step.proposal : step.learning;
        byValue.set(step.value, {
          id: fingerprint(step.value),
          text: visible(of.content),
          why: step.do === "reject" ? "rejected" : "removed",
          at,
          step,
        });
      }
    }
  }
  return [...byValue.values()].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** A rejected proposal becomes pending again; a removed learning is restored. */
export function allowWish(config: SeedConfig, { step, proposal: known, at }: RejectedWish): Decided[] {
  if (step?.do === "forget") return [learn(config, TYPE_OF[step.category], step.learning)];
  const proposal = step?.proposal ?? known;
  return proposal === undefined ? [] : [allow(config, proposal, at || proposal.extractedAt)];
}
