import { describeError } from "../../../base/errors.ts";
import { isTooOld, OLDEST_NODE, version } from "../../../base/version.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { type Check, type CheckAnywhere, fail, type NamedFinding, ok, warn } from "./check.ts";
import { checkFailures } from "./failures.ts";
import { checkHome } from "./home.ts";
import { checkHosts } from "./hosts.ts";
import { checkLocks } from "./locks.ts";
import { checkMeaning, checkNotes } from "./notes.ts";
import { checkCompactions, checkConfig, checkLedger, checkMutes, checkSuggestions } from "./own-files.ts";
import { checkRecords } from "./records.ts";
import { checkRules, checkTrust } from "./rules.ts";
import { checkModels, checkSessions } from "./sessions.ts";

export type NamedCheck = {
  readonly name: string;
  /** What it checks, in words: shown while it runs, and if the check itself fails. */
  readonly about: string;
  /** Set if it needs longer than usual. */
  readonly limitMs?: number;
  /** What to do if its files cannot be read. Without this, a failure counts as the check's own. */
  readonly mend?: string;
} & ({ readonly inHome: Check } | { readonly check: CheckAnywhere });

/** An agent's hook and server may each take 15 seconds, and there may be many agents. */
const AGENTS_MS = 240_000;

function* checkRuntime(): Generator<NamedFinding> {
  const detail = `continuo ${version} on Node ${process.versions.node} (${process.execPath})`;
  if (!isTooOld()) yield ok("runtime", detail);
  else
    yield warn(
      "runtime",
      `${detail}: rules work, search does not`,
      `install Node 24 (or at least ${OLDEST_NODE}), then set up each agent again: continuo install`,
    );
}

const NOTES_AGAIN = "the index is made again from your notes: continuo sync --rebuild";
const SESSIONS_AGAIN = "to read the transcripts again: continuo sessions index";

export const CHECKS: readonly NamedCheck[] = [
  { name: "runtime", about: "the runtime", check: checkRuntime },
  { name: "home", about: "Continuo's folder", check: checkHome },
  { name: "config", about: "the settings", inHome: checkConfig },
  { name: "agents", about: "the agents", check: checkHosts, limitMs: AGENTS_MS },
  { name: "rules", about: "the rules", inHome: checkRules },
  { name: "trust", about: "the trusted projects", inHome: checkTrust },
  { name: "mutes", about: "what is muted", inHome: checkMutes },
  { name: "ledger", about: "the record of what was delivered", inHome: checkLedger },
  { name: "notes", about: "the notes", inHome: checkNotes, mend: NOTES_AGAIN },
  { name: "meaning", about: "search by meaning", check: checkMeaning },
  { name: "suggestions", about: "the suggestions", inHome: checkSuggestions },
  { name: "sessions", about: "the past sessions", inHome: checkSessions, mend: SESSIONS_AGAIN },
  { name: "records", about: "the summaries of past sessions", inHome: checkRecords },
  { name: "models", about: "the language models", inHome: checkModels },
  { name: "locks", about: "the locks", inHome: checkLocks },
  { name: "compaction", about: "the last compaction", inHome: checkCompactions },
  { name: "failures", about: "past failures", check: checkFailures },
];

/** Every check except that of agents takes milliseconds, or a second or two in a large home. */
export const LIMIT_MS = 30_000;

/** The findings of one check. A check that fails or takes too long is itself a finding. */
export interface Checked {
  readonly name: string;
  readonly findings: readonly NamedFinding[];
}

export function runChecks(
  checks: readonly NamedCheck[],
  world: World,
  home: Home | undefined,
  limitMs?: number,
): Promise<Checked[]> {
  return Promise.all(
    checks.map(async (one) => ({ name: one.name, findings: await runCheck(one, world, home, limitMs) })),
  );
}

/** Limited in time as long as the check is asynchronous. A check that blocks is limited by `runApart`. */
export async function runCheck(
  one: NamedCheck,
  world: World,
  home: Home | undefined,
  limit = one.limitMs ?? LIMIT_MS,
): Promise<NamedFinding[]> {
  const { name, about, mend } = one;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<NamedFinding[]>((resolve) => {
    timer = setTimeout(() => resolve([tooLate(name, about, limit)]), limit);
  });
  const look = async () => {
    const all = "check" in one ? one.check(world, home) : home === undefined ? [] : one.inHome(world, home);
    // Synchronously if possible: another check, which opens an index, could change the files meanwhile.
    if (Symbol.iterator in all) return [...all];
    const found: NamedFinding[] = [];
    for await (const finding of await all) found.push(finding);
    return found;
  };
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    const { message, hint } = describeError(error);
    if (mend !== undefined) return [fail(name, message, hint ?? mend)];
    return [fail(name, `${about} could not be checked: ${message}`, hint ?? "please report this")];
  } finally {
    clearTimeout(timer);
  }
}

export function tooLate(name: string, about: string, limitMs: number): NamedFinding {
  return fail(
    name,
    `${about} could not be checked within ${Math.ceil(limitMs / 1000)} s`,
    "a disk or a program may not answer; when the machine is less busy, run: continuo doctor",
  );
}
