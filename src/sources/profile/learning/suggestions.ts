import { isAbsolute } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { clip } from "../../../base/text.ts";
import type {
  PastStep,
  Scope,
  SuggestionAnswer,
  SuggestionOptions,
  Suggestions,
} from "../../../moments/ports/suggestions.ts";
import { NOT_PENDING, NOTHING_DECIDED } from "../../../moments/review/suggestions.ts";
import type { EvidenceRecord, Step } from "../file/sidecar.ts";
import { resolveSeedPath } from "../settings.ts";
import { visible } from "../text.ts";
import type { SeedConfig } from "../types.ts";
import { applyDecisions, summariseStep, undoBatch, undoLast } from "./apply.ts";
import { accept, type Decided, reject } from "./decide.ts";
import { decisionsInForce, evidenceById } from "./decision-log.ts";
import { type Place, readProfile } from "./profile.ts";
import { TAG } from "./relevance.ts";

const LOCK = { lockWaitMs: 10_000 };
/** A form shows only a few lines. */
const MAX_SIMILAR = 120;

/** Decisions on extracted wishes, with or without a seed. */
export function learningSuggestions({ home, env, now = Date.now }: SuggestionOptions): Suggestions {
  const place = placeFor(home, env);
  const iso = () => new Date(now()).toISOString();

  async function decide(
    id: string,
    kind: "Confirm" | "Reject",
    how: (
      config: SeedConfig,
      proposal: SeedConfig["state"]["proposals"][number],
      heard?: EvidenceRecord,
    ) => Decided,
  ): Promise<{ readonly step: Step; readonly batch: string | undefined } | undefined> {
    // Checked again below: this only avoids creating a lock and folders for an outdated id.
    if (
      !readProfile(place)
        .pending()
        .some((one) => one.id === id)
    )
      return undefined;
    const { steps, batch } = await applyDecisions(
      place,
      kind,
      (config, records) => {
        const proposal = config.state.proposals.find((one) => one.id === id && one.status === "pending");
        return proposal === undefined ? [] : [how(config, proposal, evidenceById(records).get(id))];
      },
      { now: now(), ...LOCK },
    );
    const [step] = steps;
    return step === undefined ? undefined : { step, batch };
  }

  return {
    list() {
      const profile = readProfile(place);
      const pending = profile.pending();
      if (pending.length === 0) return [];
      const heard = evidenceById(profile.records());
      const heldBack = profile.heldBack();
      const inOrder = [
        ...pending.filter(({ id }) => !heldBack.has(id)),
        ...pending.filter(({ id }) => heldBack.has(id)),
      ];
      return inOrder.map((one) => {
        const evidence = heard.get(one.id);
        const project = projectNameOf(evidence);
        const similarTo = heldBack.get(one.id);
        return {
          id: one.id,
          text: visible(one.content),
          kind: one.type,
          scope: evidence?.scope ?? "everywhere",
          quote: visible(evidence?.quote ?? ""),
          project,
          ...(evidence?.host === undefined ? {} : { host: visible(evidence.host) }),
          ...(evidence?.file === undefined
            ? { session: visible(one.source) }
            : { file: visible(evidence.file) }),
          ...(evidence?.turn === undefined ? {} : { turn: visible(evidence.turn) }),
          at: Date.parse(evidence?.said ?? one.extractedAt),
          byModel: evidence?.by === "model",
          ...(similarTo === undefined ? {} : { similarTo: clip(visible(similarTo), MAX_SIMILAR) }),
        };
      });
    },

    async accept(id, { text, scope } = {}) {
      const content = text === undefined ? undefined : visible(text);
      if (content === "") throw new ContinuoError("usage", "the text is empty", { hint: "write some words" });
      let name: string | undefined;
      const made = await decide(id, "Confirm", (config, proposal, heard) => {
        const tags = tagsFor(scope, heard);
        name = tags.length === 0 ? undefined : projectNameOf(heard);
        return accept(config, proposal, { now: iso(), tags, content });
      });
      return answerFor(made, name === undefined ? "" : ` for ${name}`);
    },

    async reject(id) {
      const made = await decide(id, "Reject", (config, proposal) => reject(config, proposal, iso()));
      return answerFor(made, ": not suggested again");
    },

    async withdraw(batch) {
      const options = { now: now(), ...LOCK };
      const { batches } = await (batch === undefined
        ? undoLast(place, 1, options)
        : undoBatch(place, batch, options));
      const steps = batches.flatMap((batch) => batch.steps);
      if (steps.length === 0) return { done: false, message: NOTHING_DECIDED };
      return { done: true, message: `Undone: ${steps.map(summariseStep).join(", ")}` };
    },

    past() {
      const records = readProfile(place).records();
      const heard = evidenceById(records);
      return decisionsInForce(records)
        .map(({ batch, at, steps }) => ({ batch, at, steps: steps.map((step) => pastStep(step, heard)) }))
        .reverse();
    },
  };
}

const GONE: SuggestionAnswer = { done: false, message: NOT_PENDING };

export function placeFor(home: string, env: NodeJS.ProcessEnv): Place {
  return { seed: resolveSeedPath(undefined, env), home };
}

/** The tags of a learning from this proposal: none if it applies everywhere. */
export function tagsFor(scope: Scope | undefined, heard: EvidenceRecord | undefined): string[] {
  if ((scope ?? heard?.scope ?? "everywhere") === "everywhere") return [];
  if (heard?.project !== undefined) return [heard.project];
  throw new ContinuoError("no-project", "the project of this suggestion is unknown", {
    hint: "accept it for all projects",
  });
}

/** The project's display name: older records contain only its tag, such as `project:~/work/shop/.git`. */
export function projectNameOf(heard: EvidenceRecord | undefined): string | undefined {
  if (heard?.projectName !== undefined && visible(heard.projectName) !== "")
    return visible(heard.projectName);
  const path = heard?.project?.slice(TAG.length).replace(/[\\/]\.git$/, "");
  if (path === undefined || !(path.startsWith("~") || isAbsolute(path))) return undefined;
  return visible(path.split(/[\\/]/).at(-1) ?? "") || undefined;
}

function answerFor(
  made: { readonly step: Step; readonly batch: string | undefined } | undefined,
  more: string,
): SuggestionAnswer {
  if (made === undefined) return GONE;
  const { step, batch } = made;
  return { done: true, message: `${past(step)}${more}`, batch };
}

function pastStep(step: Step, heard: ReturnType<typeof evidenceById>): PastStep {
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

function past(step: Step): string {
  const text = summariseStep(step);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
