import { checkCompactions } from "./activity.ts";
import type { Check } from "./check.ts";
import { checkConfig } from "./config.ts";
import { checkRuntime } from "./environment.ts";
import { checkFailures } from "./failures.ts";
import { checkHome } from "./home.ts";
import { checkHosts } from "./hosts.ts";
import { checkLedger } from "./ledger.ts";
import { checkLocks } from "./locks.ts";
import { checkMeaning } from "./meaning.ts";
import { checkMutes } from "./mutes.ts";
import { checkNotes } from "./notes.ts";
import { checkRecords } from "./records.ts";
import { checkRules, checkTrust } from "./rules.ts";
import { checkModels, checkSessions } from "./sessions.ts";
import { checkSuggestions } from "./suggestions.ts";

export interface NamedCheck {
  readonly name: string;
  /** What it looks at, in words: shown while it runs, and when it fails itself. */
  readonly about: string;
  readonly check: Check;
  /** Longer than usual. */
  readonly limitMs?: number;
}

/** An agent's hook and server may take 15 seconds each, and there may be many agents. */
const AGENTS_MS = 240_000;

export const CHECKS: readonly NamedCheck[] = [
  { name: "runtime", about: "the runtime", check: checkRuntime },
  { name: "home", about: "Continuo's folder", check: checkHome },
  { name: "config", about: "the settings", check: checkConfig },
  { name: "agents", about: "the agents", check: checkHosts, limitMs: AGENTS_MS },
  { name: "rules", about: "the rules", check: checkRules },
  { name: "trust", about: "the trusted projects", check: checkTrust },
  { name: "mutes", about: "what is muted", check: checkMutes },
  { name: "ledger", about: "the record of what was delivered", check: checkLedger },
  { name: "notes", about: "the notes", check: checkNotes },
  { name: "meaning", about: "search by meaning", check: checkMeaning },
  { name: "suggestions", about: "the suggestions", check: checkSuggestions },
  { name: "sessions", about: "the past sessions", check: checkSessions },
  { name: "records", about: "the summaries of past sessions", check: checkRecords },
  { name: "models", about: "the language models", check: checkModels },
  { name: "locks", about: "the locks", check: checkLocks },
  { name: "compaction", about: "the last compaction", check: checkCompactions },
  { name: "failures", about: "past failures", check: checkFailures },
];
