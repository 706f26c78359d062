import { isAbsolute } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Values } from "../../../base/settings.ts";
import { clip } from "../../../base/text.ts";
import type { EvidenceRecord, Scope, Step } from "../file/sidecar.ts";
import { resolveSeedPath, seedPathOf } from "../settings.ts";
import { visible } from "../text.ts";
import type { LearningType, SeedConfig } from "../types.ts";
import { applyDecisions } from "./apply.ts";
import { accept, type Decided, reject } from "./decide.ts";
import { evidenceById } from "./decision-log.ts";
import { type Place, readProfile } from "./profile.ts";
import { TAG } from "./relevance.ts";
import { summariseStep, undoBatch, undoLast } from "./undo.ts";

/** A suggestion that waits for the user. All texts are safe to show: one line each, nothing hidden. */
export interface PendingProposal {
  readonly id: string;
  readonly text: string;
  readonly kind: LearningType;
  /** What it is meant for, unless the user decides otherwise. */
  readonly scope: Scope;
  /** The user's own words; empty if they are unknown. */
  readonly quote: string;
  /** What people call the project that it was said in. */
  readonly project?: string;
  readonly host?: string;
  readonly session: string;
  /** The turn of the session in which it was said, if that is known. */
  readonly turn?: string;
  /** When it was said, or else proposed: milliseconds since 1970. */
  readonly at: number;
  /** A model proposed it; otherwise a pattern found it. */
  readonly byModel: boolean;
  /** A rejected wish that it may repeat: it is held back, shown last and in no notice. */
  readonly similarTo?: string;
}

export interface AcceptChoice {
  /** The user's wording instead of the proposed one. */
  readonly text?: string;
  readonly scope?: Scope;
}

export interface InboxAnswer {
  /** False if it is no longer pending, as when it was decided in another window. */
  readonly done: boolean;
  /** What was done, for people: `Accepted "Use pnpm" for shop`. */
  readonly message: string;
  /** With which exactly this decision is undone. */
  readonly batch?: string;
}

/** The user's decisions about suggestions, with or without a seed. */
export interface Inbox {
  /** Oldest first, those that are held back last. Throws if the seed is damaged. */
  pending(): PendingProposal[];
  accept(id: string, choice?: AcceptChoice): Promise<InboxAnswer>;
  /** It is not suggested again, in other words neither. */
  reject(id: string): Promise<InboxAnswer>;
  /** Undoes the last decision, or the batch that is given. */
  undo(batch?: string): Promise<InboxAnswer>;
}

export interface InboxOptions {
  /** Continuo's home. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The settings of the source `seed`; read from the home unless given. */
  readonly settings?: Values;
  readonly now?: () => number;
  readonly lockWaitMs?: number;
}

const LOCK_WAIT_MS = 10_000;
/** A form shows few lines. */
const MAX_SIMILAR = 120;

export function openInbox({
  home,
  env,
  settings,
  now = Date.now,
  lockWaitMs = LOCK_WAIT_MS,
}: InboxOptions): Inbox {
  const place = placeFor(home, env, settings);
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
    // Checked again below: this only avoids a lock, and folders, for an id that is long gone.
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
      { now: now(), lockWaitMs },
    );
    const [step] = steps;
    return step === undefined ? undefined : { step, batch };
  }

  return {
    pending() {
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
          ...(project === undefined ? {} : { project }),
          ...(evidence?.host === undefined ? {} : { host: visible(evidence.host) }),
          session: visible(one.source),
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
        return accept(config, proposal, {
          now: iso(),
          tags,
          ...(content === undefined ? {} : { content }),
        });
      });
      return answerFor(made, name === undefined ? "" : ` for ${name}`);
    },

    async reject(id) {
      const made = await decide(id, "Reject", (config, proposal) => reject(config, proposal, iso()));
      return answerFor(made, ": not suggested again");
    },

    async undo(batch) {
      const options = { now: now(), lockWaitMs };
      const { batches } = await (batch === undefined
        ? undoLast(place, 1, options)
        : undoBatch(place, batch, options));
      const steps = batches.flatMap((batch) => batch.steps);
      if (steps.length === 0) return { done: false, message: "Nothing to undo." };
      return { done: true, message: `Undone: ${steps.map(summariseStep).join(", ")}` };
    },
  };
}

const GONE: InboxAnswer = { done: false, message: "This suggestion is no longer pending." };

export function placeFor(home: string, env: NodeJS.ProcessEnv, settings?: Values): Place {
  const seed = settings === undefined ? undefined : seedPathOf(settings, env);
  return { seed: seed ?? resolveSeedPath(undefined, env), home };
}

/** The tags of a learning from this proposal: none if it holds everywhere. */
export function tagsFor(scope: Scope | undefined, heard: EvidenceRecord | undefined): string[] {
  if ((scope ?? heard?.scope ?? "everywhere") === "everywhere") return [];
  if (heard?.project !== undefined) return [heard.project];
  throw new ContinuoError("no-project", "the project of this suggestion is unknown", {
    hint: "accept it for all projects",
  });
}

/** What people call the project: older records hold only its tag, such as `project:~/work/shop/.git`. */
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
): InboxAnswer {
  if (made === undefined) return GONE;
  const { step, batch } = made;
  return { done: true, message: `${past(step)}${more}`, ...(batch === undefined ? {} : { batch }) };
}

function past(step: Step): string {
  const text = summariseStep(step);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
