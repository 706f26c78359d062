import type { ReportedRule } from "../../sources/rules/report/report.ts";
import type { Check, Reaction } from "../../sources/rules/rule.ts";
import type { tryChecks } from "../../sources/rules/try/try-checks.ts";
import type { KnownProject } from "./projects.ts";

/** `GET /api/rules?project=` */
export interface RulesList {
  readonly project: KnownProject;
  /** As mutes and the ledger name the project. */
  readonly projectId: string;
  /** Projects that Continuo knows, that of `continuo web` first. */
  readonly projects: readonly KnownProject[];
  readonly rules: readonly RuleRow[];
  /** How many rules there are; `rules` may hold fewer. */
  readonly total: number;
  /** Files that are not used as a rule. */
  readonly refused: readonly RefusedRule[];
  readonly trust: TrustState;
  /** ISO time since which deliveries are counted; absent if there were none. */
  readonly countedSince?: string;
}

export interface RuleRow {
  /** As the ledger and mutes name it. */
  readonly key: string;
  readonly name: string;
  /**
   * In a new session: `active`; `waiting` for its condition; `on-request`: the model is told of it and can read it;
   * `manual`: nothing makes it apply by itself; `left-out`: it does not fit; `muted` by the person.
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
  /** What its author should know. */
  readonly warnings: readonly string[];
  /** How often it was delivered in this project. */
  readonly delivered: number;
  /** ISO time. */
  readonly lastDelivered?: string;
}

export interface RuleCheck {
  readonly on: Check["on"];
  readonly reaction: Reaction;
  /** What it is about: words, and what its author wrote (patterns, globs, names) exactly, with hidden characters escaped. */
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
  /** The checks are not those that were shown when the project was trusted. */
  readonly hasChanged: boolean;
  /** Identifies the checks below: trusting needs it, so that nobody trusts what they did not see. */
  readonly checks: string;
  readonly total: number;
  /**
   * The checks that need trust, in full, each with the file it is in. Those that are too many or too long are left out; if
   * one is, the page cannot trust them.
   */
  readonly shown: readonly (RuleCheck & { readonly rule: string; readonly path: string })[];
  /** Commands that run when the agent goes idle. More than the page can show: it cannot trust them. */
  readonly runs: readonly RuleRun[];
  readonly totalRuns: number;
  /** Identifies the commands, as `checks` does the checks. */
  readonly runsToken: string;
  /** The file with the trusted projects is damaged: no check stops a call, and no command runs. */
  readonly damage?: { readonly message: string; readonly hint: string };
}

/** A command that a rule runs on the files that the agent changed. */
interface RuleRun {
  readonly rule: string;
  readonly path: string;
  /** The user's own rule, which needs no consent of its own. */
  readonly isUsers: boolean;
  /** In full, as somebody would type it. */
  readonly command: string;
  /** On which files, and for how long. */
  readonly about: string;
  /** The user has accepted exactly this command. */
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
  /** Those that do not apply, and why; at most 500. */
  readonly others: readonly Pick<TriedRule, "key" | "name" | "because">[];
  /** What the edit and the command would break, the strictest reaction first; absent if neither was given. */
  readonly broken?: readonly TriedBreach[];
  /** How many places there are; `broken` may hold fewer. */
  readonly brokenTotal?: number;
  /** A project's checks stop a call only in trusted projects. */
  readonly isTrusted: boolean;
}

/** A place where the edit or the command would break a rule. */
export interface TriedBreach {
  /** The rule's key. */
  readonly rule: string;
  readonly name: string;
  readonly by: "edit" | "command";
  /** What would happen. A check that may not stop a call here reminds. */
  readonly reaction: Reaction;
  /** The reaction that the check's author asked for. */
  readonly wanted: Reaction;
  /** The line of the text that was tried, from 1. */
  readonly line?: number;
  /** The offending line or command, clipped; empty if something is missing. */
  readonly text: string;
  /** One sentence, as the agent or the person would be told. */
  readonly sentence: string;
}

export interface TriedRule {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly because: string;
  readonly tokens: number;
  /** It would not apply in a new session: what was tried makes it apply. */
  readonly isNew: boolean;
}

type Tried = Awaited<ReturnType<typeof tryChecks>>;

/** `POST /api/rules/try/history`: what a rule's checks would have said in the project's past sessions. */
export interface TryHistory {
  readonly project: string;
  /** The rule's whole text, with its frontmatter; it need not be saved. */
  readonly text: string;
  /** Its key, if it is saved: the text is read as that file is. */
  readonly rule?: string;
}

export interface TriedHistory
  extends Pick<Tried, "sessions" | "ofSessions" | "sessionsBroken" | "occasions" | "broken" | "isCut"> {
  /** ISO time: older sessions were not read. */
  readonly since: string;
  /** The checks that were tried. None, or only of the kind run: nothing was tried. */
  readonly checks: readonly RuleCheck[];
  /** The text has no checks: these are those that its own sentences suggest, and this is the text with them. */
  readonly suggested?: string;
  /** What would have been told. */
  readonly places: number;
  /** The newest sessions first; at most 20. */
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
  /** ISO time of the oldest entry that was counted; absent if there is none. */
  readonly first?: string;
  readonly sessions: number;
  /** Rules that were checked, the worst first. */
  readonly rules: readonly FollowedRule[];
  /** How many were checked; `rules` may hold fewer. */
  readonly total: number;
  /** Rules that exist and were neither given nor checked. */
  readonly neverApplied: readonly { readonly key: string; readonly name: string }[];
  readonly totalNeverApplied: number;
}

/** `occasions` are at least as many as `broken`. */
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
  /** False if there is no such rule any more. */
  readonly exists: boolean;
  /** Places: one edit can break a rule in several. */
  readonly places: number;
  /** Share of the occasions at which it was broken. */
  readonly share: number;
  /** It was broken every time: a bad rule, or a bad check. */
  readonly isAlwaysBroken: boolean;
}
