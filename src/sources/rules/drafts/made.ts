import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import type { Project } from "../../../moments/types.ts";
import { redact } from "../../../store/redact.ts";
import { checkKey, type Drafted } from "./drafts-from.ts";
import type { Draft, DraftOrigin } from "./records.ts";
import type { Waiting } from "./waiting.ts";

const MAX_SENTENCE = 300;

/** Undefined if the sentence contains a secret. */
export function draftOf(
  { check, sentence }: Drafted,
  from: DraftOrigin,
  project: Project,
): Draft | undefined {
  if (redact(sentence) !== sentence) return undefined;
  const place = from.kind === "rule" ? `${from.scope === "global" ? "" : project.id}\n${from.key}` : "said";
  return {
    id: `check-${fingerprint(`${checkKey(check)}\n${place}`)}`,
    check,
    sentence: clip(oneLine(sentence), MAX_SENTENCE),
    from,
    project: { id: project.id, root: project.root, label: project.label },
  };
}

/**
 * Keys of what is not suggested again once this draft is rejected. They identify the check rather than its words, so
 * that a rejected one does not come back reworded. A draft from a rule is rejected for that rule's project, one from
 * the user's words everywhere.
 */
export function keysOf({ check, from, project }: Draft): string[] {
  const key = checkKey(check);
  return [from.kind === "rule" && from.scope === "project" ? `${key}@${project.id}` : key];
}

export function isRejected({ check, project }: Draft, rejected: ReadonlySet<string>): boolean {
  const key = checkKey(check);
  return rejected.has(key) || rejected.has(`${key}@${project.id}`);
}

/**
 * Whether it is already pending or was decided: a check that was accepted once and then removed is not suggested again.
 */
export function isKnown(draft: Draft, { drafts, decided, rejected }: Waiting): boolean {
  return (
    isRejected(draft, rejected) ||
    drafts.some((one) => one.draft.id === draft.id) ||
    decided.some((one) => one.id === draft.id)
  );
}
