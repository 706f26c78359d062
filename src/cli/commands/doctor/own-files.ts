import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import { ago, count } from "../../../base/when.ts";
import { ledgerJournal, readLedger, restoredAfter } from "../../../moments/state/ledger.ts";
import { recentDeliveries } from "../../../moments/state/recent-deliveries.ts";
import { readWaiting, waitingPath } from "../../../sources/profile/file/waiting.ts";
import { readProfile } from "../../../sources/profile/learning/profile.ts";
import { placeFor } from "../../../sources/profile/learning/suggestions.ts";
import {
  waitingPath as checksPath,
  readWaiting as readChecks,
} from "../../../sources/rules/drafts/waiting.ts";
import { loadConfig, readRaw } from "../../../store/config.ts";
import { configBackup } from "../../../store/config-backup.ts";
import type { Home } from "../../../store/home.ts";
import { readRecords } from "../../../store/journal.ts";
import { readMutes } from "../../../store/mutes.ts";
import type { World } from "../../command.ts";
import { countsOf, DISK_WAS_FULL, fail, type NamedFinding, ok, warn } from "./check.ts";

export async function* checkConfig(world: World, home: Home): AsyncGenerator<NamedFinding> {
  const { problems } = loadConfig(home.config, await world.sources(), world.env);
  if (problems.length === 0)
    yield ok("config", existsSync(home.config) ? home.config : "defaults (no config.json)");
  // If the file cannot be read, this is the only problem.
  const isUnreadable = problems.some(({ key }) => key === home.config);
  for (const { message, hint } of problems) {
    const finding = fail("config", message, hint);
    yield isUnreadable ? withBackup(finding, home, world.now()) : finding;
  }
}

/** The file is the user's own text, so it is replaced by its backup only with their consent. */
function withBackup(finding: NamedFinding, home: Home, now: number): NamedFinding {
  const backup = configBackup(home);
  if (!isUsable(backup)) return finding;
  const when = ago(statSync(backup).mtimeMs, now);
  return {
    ...finding,
    mend: `${finding.mend}. To restore its backup (${when}): continuo doctor --fix`,
    fix: {
      question: `config.json cannot be read. Put its backup (${when}) in its place? The damaged file is kept.`,
      run: () => restore(home, backup, now),
    },
  };
}

function isUsable(backup: string): boolean {
  return existsSync(backup) && readRaw(backup).problems.length === 0;
}

function restore(home: Home, backup: string, now: number): string {
  const aside = `${home.config}.damaged-${now}`;
  renameSync(home.config, aside);
  try {
    copyFileSync(backup, home.config);
  } catch (error) {
    renameSync(aside, home.config);
    throw new Error(`the backup could not be copied: ${describeError(error).message}`, { cause: error });
  }
  return `restored config.json from its backup; the damaged file is ${aside}`;
}

/** Listed, so that the user knows why something is missing. */
export function* checkMutes(_: World, home: Home): Generator<NamedFinding> {
  const { mutes, damage } = readMutes(home);
  if (damage !== undefined) yield warn("mutes", damage.message, damage.hint);
  if (mutes.length > 0) yield ok("mutes", `${count(mutes.length, "mute")} (to list them: continuo mutes)`);
}

export function* checkLedger(_: World, home: Home): Generator<NamedFinding> {
  const { malformed, unreadable } = recentDeliveries(home, { maxBytes: Number.POSITIVE_INFINITY });
  if (malformed > 0) yield warn("ledger", `${count(malformed, "line")} could not be read`, DISK_WAS_FULL);
  for (const name of unreadable) yield warn("ledger", `${name} cannot be read`, "make it readable");
}

/** What is pending for the user, and whether it can be read. */
export function* checkSuggestions({ env }: World, home: Home): Generator<NamedFinding> {
  yield* orFailure(() => learnings(home.root, env));
  yield* orFailure(() => checks(home.root));
}

function* learnings(home: string, env: NodeJS.ProcessEnv): Generator<NamedFinding> {
  const path = waitingPath(home);
  const profile = readProfile(placeFor(home, env));
  const pending = profile.pending().length;
  const heldBack = profile.heldBack().size;
  const similar = heldBack === 0 ? "" : ` (${heldBack} similar to rejected ones)`;
  if (pending > 0) yield ok("suggestions", `${pending} to decide${similar}: continuo review`);
  yield* damagedLines(path, readWaiting(path).damaged.length);
}

/** Drafts of checks, and questions about rules. */
function* checks(home: string): Generator<NamedFinding> {
  const { drafts, questions, damaged } = readChecks(home);
  const what = countsOf([drafts.length, "check"], [questions.length, "question"]);
  if (what !== "") yield ok("suggestions", `${what} to decide: continuo review`);
  yield* damagedLines(checksPath(home), damaged.length);
}

function* damagedLines(path: string, damaged: number): Generator<NamedFinding> {
  const message = `${path}: ${count(damaged, "line")} cannot be read`;
  if (damaged > 0) yield warn("suggestions", message, "they are kept; correct or delete them by hand");
}

function orFailure(find: () => Iterable<NamedFinding>): NamedFinding[] {
  try {
    return [...find()];
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("suggestions", message, hint ?? "make the file readable")];
  }
}

/** What the last compaction dropped, and what was restored. `sessions receipt` shows the details. */
export function* checkCompactions(world: World, home: Home): Generator<NamedFinding> {
  const lines = readLedger(readRecords(ledgerJournal(home)).records);
  const last = lines.findLast((line) => line.kind === "compacted");
  if (last?.kind !== "compacted") return;
  const kept = lines.findLast(
    (line) => line.kind === "summarised" && line.session === last.session && line.epoch === last.epoch,
  );
  const summary =
    kept?.kind === "summarised"
      ? `; the summary kept ${kept.keptFiles.length} of ${count(kept.keptFiles.length + kept.lostFiles.length, "file")} in use`
      : "";
  const gone = (last.noRoom ?? []).length + last.lost.length;
  const lost = gone === 0 ? "" : `, ${gone} not (continuo why lists them)`;
  const { restored, waiting } = restoredAfter(last, lines);
  const waits = waiting.length === 0 ? "" : `, ${waiting.length} waiting`;
  const what = `${restored.length} of ${count(last.active.length, "item")} restored`;
  yield ok("compaction", `last ${ago(last.at, world.now())}: ${what}${waits}${lost}${summary}`);
}
