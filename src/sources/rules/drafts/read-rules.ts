import { join } from "node:path";
import { describeError, isContinuoError, isSystemError } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { typed } from "../../../base/settings.ts";
import type { PrepareContext } from "../../../moments/ports/source.ts";
import type { ExpectedStart } from "../../../moments/types.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { readCatalog } from "../catalog/catalog.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import { splitFrontmatter } from "../parsing/frontmatter.ts";
import { RULES_SETTINGS } from "../settings.ts";
import { draftsFrom } from "./drafts-from.ts";
import { draftOf, isKnown } from "./made.ts";
import type { Draft, WaitingRecord } from "./records.ts";
import { globsOf, hashOf, readRuleText } from "./rule-file.ts";
import { changeWaiting, isUsersDraft, readWaiting, roomForDrafts, type Waiting } from "./waiting.ts";

/** Hashes of the rule texts that were read for drafts. If the file is deleted, they are read once more. */
export const READ_FILE = "checks-read.json";

const MAX_READ_BYTES = 512 * 1024;
/** More rule texts than a user has; the oldest are dropped. */
const MAX_HASHES = 5_000;
/** Pending drafts per project: once these are decided, more follow. */
const PER_PROJECT = 5;
const PER_CALL_MS = 100;
const LOCK_WAIT_MS = 200;
/** Longer rules are documentation. */
const MAX_RULE_CHARACTERS = 64 * 1024;

/**
 * Drafts from the texts of rules, made while the agent is idle: each text once, a few at a time. Skips rules that
 * already have checks. It does not matter whether the project is trusted, because these are only suggestions.
 */
export async function draftFromRules(start: ExpectedStart, context: PrepareContext): Promise<void> {
  const { home, env, settings, readOnly, signal, isMuted = () => false } = context;
  if (readOnly || typed(RULES_SETTINGS, settings).drafts === "off") return;
  try {
    const waiting = readWaiting(home);
    const { id } = start.project;
    const room = { users: roomFor(waiting, id, true), projects: roomFor(waiting, id, false) };
    if (room.users + room.projects === 0) return;
    const { root } = start.project;
    const { rules } = await readCatalog({
      root,
      home,
      env,
      settings,
      host: "cli",
      readOnly: false,
      now: start.at,
    });
    const known = readHashes(home);
    const fresh = rules.filter(
      (rule) => !known.has(rule.hash) && !rule.isEmpty && rule.checks.length === 0 && !isMuted(rule.file.key),
    );
    if (fresh.length === 0) return;
    const drafts: Draft[] = [];
    const read: string[] = [];
    const until = Date.now() + PER_CALL_MS;
    for (const rule of fresh) {
      if (signal.aborted || Date.now() > until) break;
      const whose = rule.file.scope === "global" ? "users" : "projects";
      if (room[whose] <= 0) continue;
      const found = (await draftsOf(rule, start)).filter((draft) => !isKnown(draft, waiting));
      drafts.push(...found);
      room[whose] -= found.length;
      read.push(rule.hash);
    }
    if (drafts.length > 0) await keep(home, drafts, start);
    writeHashes(home, [...known, ...read]);
  } catch (error) {
    if (!isContinuoError(error) && !isSystemError(error)) throw error;
    const { code, message, hint } = describeError(error);
    context.report(code, `no check was drafted: ${message}`, hint);
  }
}

/** Space for drafts from the user's own rules, or from the project's: neither can use up the other's. */
function roomFor(waiting: Waiting, project: string, isUsers: boolean): number {
  const same = waiting.drafts.filter(
    ({ draft }) =>
      draft.from.kind === "rule" && draft.project.id === project && isUsersDraft(draft) === isUsers,
  );
  return Math.max(0, Math.min(PER_PROJECT - same.length, roomForDrafts(waiting, isUsers)));
}

async function draftsOf(rule: CatalogRule, { project }: ExpectedStart): Promise<Draft[]> {
  const { path, key, scope, dialect, size } = rule.file;
  const text =
    size > MAX_RULE_CHARACTERS
      ? undefined
      : readRuleText(path, scope === "project" ? project.root : undefined);
  if (text === undefined) return [];
  const { yaml, body } = splitFrontmatter(text);
  const from = { kind: "rule" as const, key, name: rule.name, path, scope, dialect, hash: hashOf(text) };
  return draftsFrom(body, { as: "rule", globs: await globsOf(yaml) }).flatMap(
    (drafted) => draftOf(drafted, from, project) ?? [],
  );
}

/**
 * Keeps all drafts of one rule, even if they slightly exceed the project's share, because its text is not read again.
 */
async function keep(home: string, drafts: readonly Draft[], { at }: ExpectedStart): Promise<void> {
  await changeWaiting(
    home,
    (waiting) => {
      const fresh = drafts.filter((draft) => !isKnown(draft, waiting));
      return {
        records: [true, false].flatMap((isUsers) =>
          fresh
            .filter((draft) => isUsersDraft(draft) === isUsers)
            .slice(0, roomForDrafts(waiting, isUsers))
            .map((draft): WaitingRecord => ({ kind: "draft", at, draft })),
        ),
      };
    },
    { lockWaitMs: LOCK_WAIT_MS },
  );
}

function readHashes(home: string): Set<string> {
  const text = readTextIfAny(join(home, READ_FILE), { maxBytes: MAX_READ_BYTES });
  if (text === undefined) return new Set();
  try {
    const value: unknown = parseBounded(text);
    const read: unknown = isRecord(value) ? value["read"] : undefined;
    return new Set(Array.isArray(read) ? read.filter((one) => typeof one === "string") : []);
  } catch {
    return new Set(); // an incomplete file: the texts are read once more
  }
}

/** Without a lock: if two processes write at once, some texts are read once more. */
function writeHashes(home: string, hashes: readonly string[]): void {
  const read = [...new Set(hashes)].slice(-MAX_HASHES);
  writeFileAtomic(join(home, READ_FILE), `${JSON.stringify({ version: 1, read })}\n`, { durable: false });
}
