import { oneLine } from "../../../base/for-terminal.ts";
import type { Suggestion as Pending } from "../../../moments/ports/suggestions.ts";
import type { Step } from "../../../sources/profile/file/sidecar.ts";
import { decisionsInForce, evidenceById } from "../../../sources/profile/learning/decision-log.ts";
import type { Profile } from "../../../sources/profile/learning/profile.ts";
import { visible } from "../../../sources/profile/text.ts";
import { CATEGORIES } from "../../../sources/profile/types.ts";
import type { DecidedRecord } from "../../../sources/rules/drafts/records.ts";
import type {
  DecisionPage,
  DecisionStep,
  InboxCounts,
  PastDecision,
  Suggestion,
} from "../../api/suggestions.ts";

/** What the page shows of the seed. Every text is one line without hidden characters. */

export function suggestionOf(one: Pending): Suggestion {
  const { id, text, kind, scope, quote, project, host, session, turn, at, byModel, similarTo } = one;
  const { isFixed, rule, pattern, tried } = one;
  return {
    id,
    text,
    kind,
    scope,
    quote,
    project,
    ...(session === undefined ? {} : { session: { id: session, host } }),
    turn,
    at: Number.isNaN(at) ? null : at,
    byModel,
    similarTo,
    isFixed,
    rule,
    pattern,
    tried,
  };
}

export function countsOf(
  profile: Profile,
  pending: number,
  decidedChecks: number,
  rejected: number,
): InboxCounts {
  return {
    pending,
    heldBack: profile.heldBack().size,
    decided: decisionsInForce(profile.records()).length + decidedChecks,
    rejected,
    learned: CATEGORIES.reduce((sum, category) => sum + profile.config.learned[category].length, 0),
  };
}

/** A batch may hold every proposal that somebody accepted at once. */
const MOST_STEPS = 50;

export function decisionsPage(
  profile: Profile,
  checks: readonly DecidedRecord[],
  offset: number,
  limit: number,
): DecisionPage {
  const records = profile.records();
  const heard = evidenceById(records);
  const all = [
    ...decisionsInForce(records).map(({ batch, at, steps }) => ({
      batch,
      at,
      steps: () => steps.slice(0, MOST_STEPS).map((step) => stepOf(step, heard)),
    })),
    ...checks.map(({ batch, at, what, message }) => ({
      batch,
      at: new Date(at).toISOString(),
      steps: (): DecisionStep[] => [{ what, text: oneLine(message), quote: "" }],
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : -1));
  const decisions = all
    .slice(offset, offset + limit)
    .map(({ steps, ...one }): PastDecision => ({ ...one, steps: steps() }));
  return { decisions, total: all.length };
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
