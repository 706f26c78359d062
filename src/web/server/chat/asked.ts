import { randomUUID } from "node:crypto";
import { ContinuoError } from "../../../base/errors.ts";
import type { PermissionAnswer, PermissionRequest, Question } from "../../../hosts/port/chat.ts";
import type { AskedPermission, AskedQuestion } from "../../api/chat.ts";

/** Long enough to come back from a meeting's first half; an agent must not wait for ever for a page that was closed. */
export const ANSWER_MS = 10 * 60_000;
/** An agent asks for a few things at once, never for hundreds. */
const MAX_ASKED = 50;
/** What is longer, nobody reads to its end. It could not be shown whole, so it is denied. */
const MAX_SHOWN = { tool: 200, detail: 100_000, diff: 100_000, target: 5000, label: 300 } as const;
const MAX_REASON = 2000;

const TOO_LONG = "Too long for a person to check. Use smaller steps.";
const LATE = "Nobody answered in the page within 10 minutes. Stop and say what you need.";
const STOPPED = "The user stopped the agent.";

/** What the agent waits for a person to decide. Nothing is allowed without an answer. */
export interface Asked {
  readonly permissions: () => readonly AskedPermission[];
  readonly questions: () => readonly AskedQuestion[];
  permission(request: PermissionRequest): Promise<PermissionAnswer>;
  question(question: Question): Promise<string>;
  decide(id: string, decision: Decision): void;
  answer(id: string, text: string): void;
  /** Denies everything that is open. */
  dismiss(): void;
}

export type Decision =
  | { readonly answer: "once" | "session" }
  | { readonly answer: "deny"; readonly reason: string };

interface Open<Shown> {
  readonly shown: Shown;
  readonly same: string | undefined;
  settle(allow: boolean, said: string): void;
}

export function createAsked(now: () => number, changed: () => void, waitMs = ANSWER_MS): Asked {
  const open = new Map<string, Open<AskedPermission>>();
  const asking = new Map<string, Open<AskedQuestion>>();
  const allowed = new Set<string>();

  function wait<Shown, Answer>(
    list: Map<string, Open<Shown>>,
    shown: Shown & { readonly id: string },
    same: string | undefined,
    answerOf: (allow: boolean, said: string) => Answer,
  ): Promise<Answer> {
    if (list.size >= MAX_ASKED) return Promise.resolve(answerOf(false, "Too many requests at once."));
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false, LATE), waitMs);
      timer.unref();
      const settle = (allow: boolean, said: string): void => {
        clearTimeout(timer);
        if (!list.delete(shown.id)) return;
        changed();
        resolve(answerOf(allow, said));
      };
      list.set(shown.id, { shown, same, settle });
      changed();
    });
  }
  function find<Shown>(list: Map<string, Open<Shown>>, id: string): Open<Shown> {
    const found = list.get(id);
    if (found !== undefined) return found;
    throw new ContinuoError("chat-request-over", "this request was answered already", {
      hint: "Another tab answered it, its time was over, or the agent was stopped.",
    });
  }

  return {
    permissions: () => [...open.values()].map(({ shown }) => shown),
    questions: () => [...asking.values()].map(({ shown }) => shown),
    permission(request) {
      const { same } = request;
      if (same !== undefined && allowed.has(same.key)) return Promise.resolve({ allow: true });
      if (!isShownWhole(request)) return Promise.resolve({ allow: false, reason: TOO_LONG });
      const shown = {
        id: randomUUID(),
        kind: request.kind,
        tool: request.tool,
        detail: request.detail,
        ...(request.target === undefined ? {} : { target: request.target }),
        // Only what the agent says about it: nothing of it is done.
        ...(request.reason === undefined ? {} : { reason: shortened(request.reason, MAX_REASON) }),
        ...(request.diff === undefined ? {} : { diff: request.diff }),
        ...(same === undefined ? {} : { sessionLabel: same.label }),
        until: now() + waitMs,
      };
      return wait(open, shown, same?.key, (allow, reason) =>
        allow ? { allow: true } : { allow: false, reason },
      );
    },
    question({ question, choices, allowsText }) {
      const shown = {
        id: randomUUID(),
        question: question.slice(0, 5000),
        choices: choices.map((one) => one.slice(0, 500)),
        allowsText,
      };
      return wait(asking, shown, undefined, (_, said) => said);
    },
    decide(id, decision) {
      const request = find(open, id);
      if (decision.answer === "session" && request.same !== undefined) allowed.add(request.same);
      if (decision.answer === "deny") request.settle(false, decision.reason || "The user denied it.");
      else request.settle(true, "");
      // Others of the same kind need not be asked for again.
      for (const other of decision.answer === "session" ? [...open.values()] : [])
        if (other.same !== undefined && allowed.has(other.same)) other.settle(true, "");
    },
    answer: (id, text) => find(asking, id).settle(true, text),
    dismiss() {
      for (const one of [...open.values(), ...asking.values()]) one.settle(false, STOPPED);
    },
  };
}

/** A person must see all of what is allowed. */
function isShownWhole({ tool, detail, diff = "", target = "", same }: PermissionRequest): boolean {
  return (
    tool.length <= MAX_SHOWN.tool &&
    detail.length <= MAX_SHOWN.detail &&
    diff.length <= MAX_SHOWN.diff &&
    target.length <= MAX_SHOWN.target &&
    (same?.label.length ?? 0) <= MAX_SHOWN.label
  );
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
