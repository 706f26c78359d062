import { randomUUID } from "node:crypto";
import { ContinuoError } from "../../../base/errors.ts";
import type { PermissionAnswer, PermissionRequest, Question } from "../../../moments/ports/chat.ts";
import type { AskedPermission, AskedQuestion } from "../../api/chat.ts";

/** Long enough for a short absence; an agent must not wait forever for a page that was closed. */
export const ANSWER_MS = 10 * 60_000;
/** More than an agent asks at once. */
const MAX_ASKED = 50;
/** Nobody reads longer texts to the end. They cannot be shown whole, so the request is denied. */
const MAX_SHOWN = { tool: 200, detail: 100_000, diff: 100_000, target: 5000, label: 300 } as const;
const MAX_REASON = 2000;

const TOO_LONG = "Too long for a person to check. Use smaller steps.";
const LATE = "Nobody answered in the page within 10 minutes. Stop and say what you need.";
const STOPPED = "The user stopped the agent.";

/** Requests of the agent that wait for the user's decision. Nothing is allowed without an answer. */
export interface Asked {
  readonly permissions: () => readonly AskedPermission[];
  readonly questions: () => readonly AskedQuestion[];
  permission(request: PermissionRequest): Promise<PermissionAnswer>;
  question(question: Question): Promise<string>;
  decide(id: string, decision: Decision): void;
  answer(id: string, text: string): void;
  /** Denies all open requests. */
  dismiss(): void;
}

export type Decision =
  | { readonly answer: "once" | "session" }
  | { readonly answer: "deny"; readonly reason: string };

interface Open {
  readonly permission?: AskedPermission;
  readonly question?: AskedQuestion;
  readonly same?: string | undefined;
  settle(allow: boolean, said: string): void;
}

export function createAsked(now: () => number, changed: () => void, waitMs = ANSWER_MS): Asked {
  const open = new Map<string, Open>();
  const allowed = new Set<string>();

  function wait<Answer>(
    id: string,
    asked: Omit<Open, "settle">,
    answerOf: (allow: boolean, said: string) => Answer,
  ): Promise<Answer> {
    if (open.size >= MAX_ASKED) return Promise.resolve(answerOf(false, "Too many requests at once."));
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false, LATE), waitMs);
      timer.unref();
      const settle = (allow: boolean, said: string): void => {
        clearTimeout(timer);
        if (!open.delete(id)) return;
        changed();
        resolve(answerOf(allow, said));
      };
      open.set(id, { ...asked, settle });
      changed();
    });
  }
  function find(kind: "permission" | "question", id: string): Open {
    const found = open.get(id);
    if (found?.[kind] !== undefined) return found;
    throw new ContinuoError("chat-request-over", "this request was answered already", {
      hint: "Another tab answered it, it timed out, or the agent was stopped.",
    });
  }

  return {
    permissions: () => [...open.values()].flatMap(({ permission }) => permission ?? []),
    questions: () => [...open.values()].flatMap(({ question }) => question ?? []),
    permission({ same, reason, ...request }) {
      if (same !== undefined && allowed.has(same.key)) return Promise.resolve({ allow: true });
      if (!isShownWhole({ ...request, same })) return Promise.resolve({ allow: false, reason: TOO_LONG });
      const id = randomUUID();
      const permission = {
        ...request,
        id,
        // Only the agent's own explanation, so it may be shortened.
        reason: reason && shortened(reason, MAX_REASON),
        sessionLabel: same?.label,
        until: now() + waitMs,
      };
      return wait(id, { permission, same: same?.key }, (allow, reason) =>
        allow ? { allow: true } : { allow: false, reason },
      );
    },
    question({ question, choices, allowsText }) {
      const id = randomUUID();
      const asked = {
        id,
        question: question.slice(0, 5000),
        choices: choices.map((one) => one.slice(0, 500)),
        allowsText,
      };
      return wait(id, { question: asked }, (_, said) => said);
    },
    decide(id, decision) {
      const request = find("permission", id);
      if (decision.answer === "deny") return request.settle(false, decision.reason || "The user denied it.");
      request.settle(true, "");
      if (decision.answer === "once" || request.same === undefined) return;
      allowed.add(request.same);
      // Other requests of the same kind need no further question.
      for (const other of [...open.values()])
        if (other.same !== undefined && allowed.has(other.same)) other.settle(true, "");
    },
    answer: (id, text) => find("question", id).settle(true, text),
    dismiss() {
      for (const one of [...open.values()]) one.settle(false, STOPPED);
    },
  };
}

/** The user must see everything that they allow. */
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
