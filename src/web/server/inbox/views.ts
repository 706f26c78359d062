import type { Step } from "../../../sources/seed/file/sidecar.ts";
import { decisionsInForce, evidenceById } from "../../../sources/seed/learning/decision-log.ts";
import type { PendingProposal } from "../../../sources/seed/learning/inbox.ts";
import type { Profile } from "../../../sources/seed/learning/profile.ts";
import { visible } from "../../../sources/seed/text.ts";
import { CATEGORIES } from "../../../sources/seed/types.ts";
import type { DecisionPage, DecisionStep, InboxCounts, PastDecision, Suggestion } from "../../api/inbox.ts";

/** What the page shows of the seed. Every text is one line without hidden characters. */

export function suggestionOf(one: PendingProposal): Suggestion {
  const { id, text, kind, scope, quote, project, host, session, turn, at, byModel, similarTo } = one;
  return {
    id,
    text,
    kind,
    scope,
    quote,
    ...(project === undefined ? {} : { project }),
    session: { id: session, ...(host === undefined ? {} : { host }) },
    ...(turn === undefined ? {} : { turn }),
    at: Number.isNaN(at) ? null : at,
    byModel,
    ...(similarTo === undefined ? {} : { similarTo }),
  };
}

export function countsOf(profile: Profile, rejected: number): InboxCounts {
  return {
    pending: profile.pending().length,
    heldBack: profile.heldBack().size,
    decided: decisionsInForce(profile.records()).length,
    rejected,
    learned: CATEGORIES.reduce((sum, category) => sum + profile.config.learned[category].length, 0),
  };
}

/** A batch may hold every proposal that somebody accepted at once. */
const MOST_STEPS = 50;

export function decisionsPage(profile: Profile, offset: number, limit: number): DecisionPage {
  const records = profile.records();
  const inForce = decisionsInForce(records).reverse();
  const heard = evidenceById(records);
  const decisions = inForce.slice(offset, offset + limit).map(
    ({ batch, at, steps }): PastDecision => ({
      batch,
      at,
      steps: steps.slice(0, MOST_STEPS).map((step) => stepOf(step, heard)),
    }),
  );
  return { decisions, total: inForce.length };
}

function stepOf(step: Step, heard: ReturnType<typeof evidenceById>): DecisionStep {
  const of = step.do === "reject" || step.do === "allow" ? step.proposal : step.learning;
  const evidence = heard.get(of.id);
  const text = visible(of.content);
  const suggested = step.do === "accept" ? visible(step.proposal.content) : text;
  return {
    what: step.do,
    text,
    ...(suggested === text ? {} : { suggested }),
    quote: visible(evidence?.quote ?? ""),
    ...(evidence?.host === undefined ? {} : { session: { host: evidence.host, id: evidence.session } }),
  };
}
