import { redact } from "../../../store/redact.ts";
import { gitIn } from "./command-parts.ts";
import { type Run, runOf } from "./runs.ts";
import { type DoneCall, redactedStart, type Step } from "./steps.ts";
import { TaskList } from "./task-list.ts";

/** What the tool calls of a session show, so that nobody has to say it. */
export interface ToolFacts {
  /** The last run of each command, the last one first, and whether files were edited after it. */
  readonly runs: readonly (Run & { readonly isOld: boolean })[];
  readonly commit?: Commit;
  /** Address of a pull request that was opened. */
  readonly pullRequest?: string;
  /** Open entries of the agent's own list, in its order. */
  readonly open: readonly string[];
  /** The heading of the last plan that the agent presented. */
  readonly plan?: { readonly heading: string; readonly isRejected: boolean };
  /** Files were edited, and no tool can have committed or tested them. */
  readonly untouched: { readonly byCommit: boolean; readonly byTests: boolean };
  /** How many commits were made. */
  readonly commits: number;
}

export interface Commit {
  readonly subject: string;
  readonly hash: string;
  readonly branch: string;
  readonly push: Push;
  /** Files were edited after it. */
  readonly isOld: boolean;
}

/** `unclear`: a push was tried, and nothing says how it went. */
export type Push = "pushed" | "failed" | "unclear" | "none";

export function toolFactsOf(steps: readonly Step[]): ToolFacts {
  const runs = new Map<string, Run & { isOld: boolean }>();
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
      for (const [key, run] of runs) runs.set(key, { ...run, isOld: true });
      commit &&= { ...commit, isOld: true };
    }
    const heading = headingOfPlan(call);
    if (heading !== undefined) plan = { heading, isRejected: call.rejected === true };
    const command = call.command ?? "";
    mayHaveCommitted ||= MAY_COMMIT.test(command) || OTHERS.test(call.tool);
    mayHaveTested ||= MAY_TEST.test(command) || OTHERS.test(call.tool);
    // What the person did not allow was not run.
    if (command === "" || call.rejected === true) continue;
    const run = runOf({ ...call, command, isInBackground: isInBackground(call) });
    if (run !== undefined) {
      const key = `${run.kind} ${run.command}`;
      runs.delete(key);
      runs.set(key, { ...run, isOld: false });
    }
    const git = gitIn(command);
    if (git.some((one) => /^reset\b/.test(one))) commit = undefined;
    const made = commitIn(call, git);
    if (made !== undefined) hashes.add(made.hash);
    commit = made ?? commit;
    const push = pushIn(call, git);
    if (push !== undefined) commit &&= { ...commit, push };
    pullRequest = pullRequestIn(call) ?? pullRequest;
  }
  return {
    runs: [...runs.values()].reverse(),
    ...{ commit, commits: hashes.size, pullRequest, open: list.open(), plan },
    untouched: { byCommit: hasEdits && !mayHaveCommitted, byTests: hasEdits && !mayHaveTested },
  };
}

/** Scripts, tasks, other programs and agents may do either: then nothing is said. */
const MAY_COMMIT = /\b(?:commit|amend|merge|rebase|cherry-pick|jj|gt|sl|release|push|ship|land)\b/i;
const MAY_TEST = /test|spec|check|verify|\bci\b|\brun\b|make|just|task|nox|tox/i;
const OTHERS = /^(?:task|agent)$|^mcp__|agent/i;

function isInBackground({ input, output }: DoneCall): boolean {
  return input["run_in_background"] === true || /^Command running in background\b/.test(output);
}

const PULL_REQUEST = /https:\/\/[\w.-]{1,100}\/[\w.-]{1,100}\/[\w./-]{1,200}\/(?:pull|merge_requests)\/\d+/;

function pullRequestIn({ command = "", output, failed }: DoneCall): string | undefined {
  const address = /^gh pr create\b|[;&\n]\s*gh pr create\b/.test(command.slice(0, 4_000))
    ? PULL_REQUEST.exec(output)?.[0]
    : undefined;
  return failed === false && address !== undefined ? redact(address) : undefined;
}

/** What git prints: `[main 1a2b3c4] Subject`. */
const COMMITTED = /^\[(\S{1,200})(?: \([\w -]{1,40}\))? ([0-9a-f]{7,40})\] (.{1,300})$/m;

/** A hook of the repository may print anything and then refuse: a commit that failed is none, unless more followed it. */
function commitIn({ output, failed }: DoneCall, git: readonly string[]): Commit | undefined {
  const at = git.findIndex((one) => /^commit\b/.test(one) && !/\s--dry-run\b/.test(one));
  if (at < 0 || (failed !== false && at === git.length - 1)) return undefined;
  const [, branch = "", hash = "", subject = ""] = COMMITTED.exec(redact(output)) ?? [];
  if (subject === "") return undefined;
  return { branch, hash: hash.slice(0, 7), subject, push: "none", isOld: false };
}

const REFUSED = /\[(?:remote )?rejected\]|^(?:error|fatal):/m;
const SENT = /[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,}\s+\S+ -> \S+|\[new branch\]|\bEverything up-to-date\b/;

function pushIn(call: DoneCall, git: readonly string[]): Push | undefined {
  const push = git.find((one) => /^push\b/.test(one));
  if (push === undefined || /\s(?:--dry-run|-n|--delete|-d|--tags)\b/.test(push)) return undefined;
  if (REFUSED.test(call.output)) return "failed";
  if (call.failed !== false || isInBackground(call)) return "unclear";
  return SENT.test(call.output) ? "pushed" : "unclear";
}

const LONGEST_PLAN = 4_000;

function headingOfPlan({ input }: DoneCall): string | undefined {
  const plan = input["plan"];
  if (typeof plan !== "string") return undefined;
  return /^#{1,3}\s+(?:plan:?\s+)?(.{4,200})$/im.exec(redactedStart(plan, LONGEST_PLAN))?.[1]?.trim();
}
