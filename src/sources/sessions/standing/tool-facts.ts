import { isRecord } from "../../../base/json.ts";
import { redact } from "../../../store/redact.ts";
import { type Run, type RunKind, runOf } from "./runs.ts";
import type { DoneCall, Step } from "./steps.ts";

/** Facts from a session's tool calls, which need not be mentioned in any text. */
export interface ToolFacts {
  /** The last run of each kind, newest first. `isOld`: files were edited after it. */
  readonly runs: readonly (Run & { readonly isOld: boolean })[];
  readonly commit?: Commit;
  /** The address of the pull request that was opened. */
  readonly pullRequest?: string;
  /** The open entries of the agent's task list, in its order. */
  readonly open: readonly string[];
  /** The heading of the last plan that the agent presented. */
  readonly plan?: { readonly heading: string; readonly isRejected: boolean };
  /** Whether files were edited and no command can have committed, or tested, them. */
  readonly untouched: { readonly byCommit: boolean; readonly byTests: boolean };
  /** The number of commits. */
  readonly commits: number;
}

export interface Commit {
  readonly subject: string;
  readonly hash: string;
  readonly branch: string;
  readonly isPushed: boolean;
  /** Files were edited after it. */
  readonly isOld: boolean;
}

export function toolFactsOf(steps: readonly Step[]): ToolFacts {
  const runs = new Map<RunKind, Run & { isOld: boolean }>();
  const list = new TaskList();
  let commit: Commit | undefined;
  let pullRequest: string | undefined;
  let plan: ToolFacts["plan"];
  let hasEdits = false;
  let mayHaveCommitted = false;
  let mayHaveTested = false;
  const hashes = new Set<string>();
  for (const call of steps.flatMap(({ calls = [] }) => calls)) {
    list.take(call);
    if (call.edits) {
      hasEdits = true;
      for (const [kind, run] of runs) runs.set(kind, { ...run, isOld: true });
      commit &&= { ...commit, isOld: true };
    }
    const heading = headingOfPlan(call);
    if (heading !== undefined) plan = { heading, isRejected: call.rejected === true };
    const { command } = call;
    if (command === undefined) continue;
    mayHaveCommitted ||= MAY_COMMIT.test(command);
    mayHaveTested ||= MAY_TEST.test(command);
    const run = runOf({ ...call, command });
    // What the person did not allow was not run.
    if (run !== undefined && call.rejected !== true) {
      runs.delete(run.kind);
      runs.set(run.kind, { ...run, command: redact(run.command), detail: redact(run.detail), isOld: false });
    }
    const made = commitIn(call);
    if (made !== undefined) hashes.add(made.hash);
    commit = made ?? commit;
    if (call.failed === false && /\bgit\b[^|;&]*\bpush\b/.test(command))
      commit &&= { ...commit, isPushed: true };
    pullRequest = PULL_REQUEST.exec(/\bgh pr create\b/.test(command) ? call.output : "")?.[0] ?? pullRequest;
  }
  return {
    runs: [...runs.values()].reverse(),
    ...{ commit, commits: hashes.size, pullRequest, open: list.open(), plan },
    untouched: { byCommit: hasEdits && !mayHaveCommitted, byTests: hasEdits && !mayHaveTested },
  };
}

/** Scripts, tasks and other programs may commit or test: then nothing is claimed. */
const MAY_COMMIT = /\b(?:commit|amend|merge|rebase|cherry-pick|jj|gt|sl|release|push|ship|land)\b/i;
const MAY_TEST = /test|spec|check|verify|\bci\b|\brun\b|make|just|task|nox|tox/i;

const PULL_REQUEST = /https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+\/(?:pull|merge_requests|-\/merge_requests)\/\d+/;
/** Git's output after a commit: `[main 1a2b3c4] Subject`. */
const COMMITTED = /^\[(\S+)(?: \([\w -]+\))? ([0-9a-f]{7,40})\] (.{1,300})$/m;

function commitIn({ command = "", output }: DoneCall): Commit | undefined {
  if (!/\bgit\b[^|;&]*\bcommit\b/.test(command)) return undefined;
  const [, branch = "", hash = "", subject = ""] = COMMITTED.exec(output) ?? [];
  if (subject === "") return undefined;
  return { branch, hash: hash.slice(0, 7), subject: redact(subject), isPushed: false, isOld: false };
}

function headingOfPlan({ input }: DoneCall): string | undefined {
  const plan = input["plan"];
  if (typeof plan !== "string") return undefined;
  return /^#{1,3}\s+(?:plan:?\s+)?(.{4,200})$/im.exec(redact(plan.slice(0, 4_000)))?.[1]?.trim();
}

const MOST_TASKS = 60;
const MOST_OF_A_TASK = 200;
const IS_OVER = /^(?:completed|done|cancelled|canceled|deleted)$/;

/**
 * The agent's task list. Some agents write the whole list at each change (`todos`, `plan`), others one task at a time.
 */
class TaskList {
  #tasks = new Map<string, { readonly text: string; readonly isOver: boolean }>();

  take({ tool, input, output }: DoneCall): void {
    const whole = [input["todos"], input["plan"]].find((one) => Array.isArray(one));
    if (Array.isArray(whole)) this.#replace(whole);
    else if (tool === "TaskCreate") this.#create(input, output);
    else if (tool === "TaskUpdate") this.#update(input);
  }

  open(): string[] {
    return [...this.#tasks.values()].filter(({ isOver }) => !isOver).map(({ text }) => redact(text));
  }

  #replace(all: readonly unknown[]): void {
    this.#tasks = new Map();
    for (const [i, one] of all.slice(0, MOST_TASKS).entries()) {
      if (!isRecord(one)) continue;
      const text = textOf(one["content"] ?? one["step"] ?? one["title"]);
      if (text !== "") this.#tasks.set(`${i}`, { text, isOver: IS_OVER.test(textOf(one["status"])) });
    }
  }

  #create(input: DoneCall["input"], output: string): void {
    const id = /#(\d{1,6})\b/.exec(output)?.[1];
    const text = textOf(input["subject"]);
    if (id !== undefined && text !== "" && this.#tasks.size < MOST_TASKS)
      this.#tasks.set(id, { text, isOver: false });
  }

  #update(input: DoneCall["input"]): void {
    const id = textOf(input["taskId"]);
    const known = this.#tasks.get(id);
    if (known !== undefined)
      this.#tasks.set(id, { ...known, isOver: IS_OVER.test(textOf(input["status"])) || known.isOver });
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, MOST_OF_A_TASK) : "");
