import type { ReportedRule } from "../../sources/rules/report/report.ts";
import type { Check, Reaction } from "../../sources/rules/rule.ts";
import type { tryChecks } from "../../sources/rules/try/try-checks.ts";
import type { KnownProject } from "./projects.ts";

/** `GET /api/rules?project=` */
export interface RulesList {
  readonly project: KnownProject;
  /** The project's id in mutes and the ledger. */
  readonly projectId: string;
  /** Projects that Continuo knows, starting with that of `continuo web`. */
  readonly projects: readonly KnownProject[];
  readonly rules: readonly RuleRow[];
  /** The total number of rules; `rules` may contain fewer. */
  readonly total: number;
  /** Files that are not used as a rule. */
  readonly refused: readonly RefusedRule[];
  readonly trust: TrustState;
  /** ISO time since which deliveries are counted; absent if there were none. */
  readonly countedSince?: string;
}

export interface RuleRow {
  /** The rule's name in the ledger and in mutes. */
  readonly key: string;
  readonly name: string;
  /**
   * The state in a new session: `active`; `waiting` for its condition; `on-request`: the model knows of it and can read
   * it; `manual`: applies only if the user asks for it; `left-out`: it does not fit; `muted` by the user.
   */
  readonly state: "active" | "waiting" | "on-request" | "manual" | "left-out" | "muted";
  /** Why it is in that state. */
  readonly because: string;
  /** Its condition in words; empty if it has none. */
  readonly condition: string;
  readonly tokens: number;
  readonly priority: number;
  readonly path: string;
  readonly dialect: string;
  readonly scope: "project" | "global";
  readonly checks: readonly RuleCheck[];
  /** Warnings for its author. */
  readonly warnings: readonly string[];
  /** How often it was delivered in this project. */
  readonly delivered: number;
  /** ISO time. */
  readonly lastDelivered?: string;
}

export interface RuleCheck {
  readonly on: Check["on"];
  readonly reaction: Reaction;
  /**
   * What it is about: words, and exactly what its author wrote (patterns, globs, names), with hidden characters
   * escaped.
   */
  readonly words: readonly CheckWords[];
  readonly message?: string;
}

export type CheckWords = string | { readonly code: string };

export interface RefusedRule {
  readonly path: string;
  readonly why: "refused" | "duplicate" | "pending";
  readonly message: string;
}

export interface TrustState {
  readonly isTrusted: boolean;
  /** Whether the checks differ from those that were shown when the project was trusted. */
  readonly hasChanged: boolean;
  /** Identifies the checks below; required for trusting, so that nobody trusts what they did not see. */
  readonly checks: string;
  readonly total: number;
  /**
   * The checks that need trust, in full, each with its file. Checks beyond the limits are left out; if any is, the page
   * cannot trust them.
   */
  readonly shown: readonly (RuleCheck & { readonly rule: string; readonly path: string })[];
  /** Commands that run when the agent goes idle. If there are more than the page can show, it cannot trust them. */
  readonly runs: readonly RuleRun[];
  readonly totalRuns: number;
  /** Identifies the commands, as `checks` identifies the checks. */
  readonly runsToken: string;
  /** Set if the file with the trusted projects is damaged: no check blocks a call, and no command runs. */
  readonly damage?: { readonly message: string; readonly hint: string };
}

/** A command that a rule runs on the files that the agent changed. */
interface RuleRun {
  readonly rule: string;
  readonly path: string;
  /** Whether the rule is the user's own, which needs no separate consent. */
  readonly isUsers: boolean;
  /** In full, as a user would type it. */
  readonly command: string;
  /** On which files it runs, and for how long. */
  readonly about: string;
  /** Whether the user has accepted exactly this command. */
  readonly isAccepted: boolean;
}

/** `POST /api/rules/try` */
export interface TryRequest {
  readonly project: string;
  readonly path?: string;
  readonly prompt?: string;
  /** As if the agent ran it in a shell. */
  readonly command?: string;
  /** As if the agent added these lines to the file `path`. */
  readonly text?: string;
}

export interface TryAnswer {
  readonly rules: readonly TriedRule[];
  readonly total: number;
  /** Rules that do not apply, and why; at most 500. */
  readonly others: readonly Pick<TriedRule, "key" | "name" | "because">[];
  /** What the edit and the command would break, strictest reaction first; absent if neither was given. */
  readonly broken?: readonly TriedBreach[];
  /** The total number of places; `broken` may contain fewer. */
  readonly brokenTotal?: number;
  /** A project's checks block a call only in trusted projects. */
  readonly isTrusted: boolean;
}

/** A place where the edit or the command would break a rule. */
export interface TriedBreach {
  /** The rule's key. */
  readonly rule: string;
  readonly name: string;
  readonly by: "edit" | "command";
  /** The actual reaction: a check that may not block a call here reminds. */
  readonly reaction: Reaction;
  /** The reaction that the check's author asked for. */
  readonly wanted: Reaction;
  /** The line number in the tried text, from 1. */
  readonly line?: number;
  /** The offending line or command, clipped; empty if something is missing. */
  readonly text: string;
  /** One sentence, as shown to the agent or the user. */
  readonly sentence: string;
}

export interface TriedRule {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly because: string;
  readonly tokens: number;
  /** Set if it would not apply in a new session, but does because of what was tried. */
  readonly isNew: boolean;
}

type Tried = Awaited<ReturnType<typeof tryChecks>>;

/** `POST /api/rules/try/history`: what a rule's checks would have reported in the project's past sessions. */
export interface TryHistory {
  readonly project: string;
  /** The rule's whole text, with its frontmatter; it need not be saved. */
  readonly text: string;
  /** Its key, if it is saved: the text is then parsed like that file. */
  readonly rule?: string;
}

export interface TriedHistory
  extends Pick<Tried, "sessions" | "ofSessions" | "sessionsBroken" | "occasions" | "broken" | "isCut"> {
  /** ISO time: older sessions were not read. */
  readonly since: string;
  /** The checks that were tried. If there are none, or only `run` checks, nothing was tried. */
  readonly checks: readonly RuleCheck[];
  /** If the text has no checks: the text with the checks that its own sentences suggest, which were tried. */
  readonly suggested?: string;
  /** The number of breaches that the model would have been told about. */
  readonly places: number;
  /** Newest sessions first; at most 20. */
  readonly found: readonly {
    readonly host: string;
    readonly session: string;
    readonly name: string;
    /** ISO time. */
    readonly at?: string;
    readonly path?: string;
    readonly line?: number;
    readonly text: string;
  }[];
}

/** `GET /api/rules/report?project=`: how well the rules of a project were followed in the last 30 days. */
export interface RulesReport {
  readonly days: number;
  /** ISO time of the oldest counted entry; absent if there is none. */
  readonly first?: string;
  readonly sessions: number;
  /** Rules that were checked, worst first. */
  readonly rules: readonly FollowedRule[];
  /** How many were checked; `rules` may contain fewer. */
  readonly total: number;
  /** Existing rules that were neither delivered nor checked. */
  readonly neverApplied: readonly { readonly key: string; readonly name: string }[];
  readonly totalNeverApplied: number;
}

/** `occasions` is never less than `broken`. */
export interface FollowedRule
  extends Pick<
    ReportedRule,
    | "key"
    | "name"
    | "sessions"
    | "occasions"
    | "broken"
    | "afterCompaction"
    | "afterReminder"
    | "refused"
    | "asked"
    | "lastWeek"
    | "weekBefore"
  > {
  /** False if the rule does not exist any more. */
  readonly exists: boolean;
  /** The number of places: one edit can break a rule several times. */
  readonly places: number;
  /** The share of occasions at which the rule was broken. */
  readonly share: number;
  /** Broken every time: probably a bad rule, or a bad check. */
  readonly isAlwaysBroken: boolean;
}
