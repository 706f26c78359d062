import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { describeError } from "../../moments/errors.ts";
import type { Answer, Source, Surroundings } from "../../moments/source.ts";
import type {
  CompactingMoment,
  IdleMoment,
  Item,
  Moment,
  PromptMoment,
  Section,
  StartMoment,
} from "../../moments/types.ts";
import { type FileUse, hottestFiles } from "../../moments/working-set.ts";
import { homeAt } from "../../store/home.ts";
import type { EntryBody } from "../../store/ledger.ts";
import { isRecord } from "../../store/settings.ts";
import { lastRequest } from "../../transcripts/last-request.ts";
import { cardItems } from "./card.ts";
import { type ContextEvent, publish } from "./events.ts";
import { noted } from "./keep-events.ts";
import { NO_META, type SessionMeta } from "./meta.ts";
import { folderOfUser, type MetaFile, metaFile } from "./meta-file.ts";
import { changeSince, readStamps, stampAll, stampOf } from "./stamps.ts";

/** After rules, before everything that is only remembered. */
const SECTION_PRIORITY = 90;
const LOCK_WAIT_MS = 300;

/** How many files of the working set are looked at; more would not be shown. */
const LOOKED_AT = 30;
const SHOWN = 10;
const VENDORED = /(^|\/)(node_modules|vendor|third_party|\.git|dist|build|target|\.venv|__pycache__)\//;

export const context: Source = {
  name: "context",
  answersChildren: false,
  settings: {},
  answers: { start, prompt, compacting: handOver, compacted: card, idle },
};

/** A session that begins with sets has them from elsewhere, such as Caco: they are told of, not delivered. */
function start(moment: StartMoment, surroundings: Surroundings): Answer {
  const meta = readMeta(fileOf(moment, surroundings), surroundings);
  return surroundings.readOnly ? {} : { noted: tell("load", moment, meta) };
}

async function prompt(moment: PromptMoment, surroundings: Surroundings): Promise<Answer> {
  const file = fileOf(moment, surroundings);
  if (readMeta(file, surroundings).unobserved === true) {
    await file.update(() => ({ unobserved: false, lastObservedAt: new Date(moment.at).toISOString() }));
  }
  return moment.afterResume === true ? card(moment, surroundings) : {};
}

/** What the session is told about itself when it goes on. */
async function card(moment: Moment, surroundings: Surroundings): Promise<Answer> {
  const { root } = moment.project;
  const meta = readMeta(fileOf(moment, surroundings), surroundings);
  const used = hottestFiles(surroundings.workingSet, LOOKED_AT)
    .map((use) => use.path)
    .filter((path) => !VENDORED.test(path));
  const there = (path: string) => existsSync(isAbsolute(path) ? path : join(root, path));
  const missing = used.filter((path) => !there(path));
  // Only here is a process started, and only for what git alone can tell.
  const { gitFacts } = await import("./git.ts");
  const git = await gitFacts(root, used, missing, since(surroundings.workingSet));
  const renamed = missing.flatMap((path): [string, string][] => {
    const now = git.renamed.get(path);
    return now === undefined || !there(now) ? [] : [[path, now]];
  });
  const names = new Map(renamed);
  const files = used
    .map((path) => names.get(path) ?? path)
    .filter((path) => there(path) && !git.ignored.has(path));
  const stamps = readStamps(isRecord(surroundings.memo) ? surroundings.memo["stamps"] : undefined);
  const changed = Object.entries(stamps).flatMap(([path, before]): [string, string][] => {
    const by = changeSince(before, stampOf(isAbsolute(path) ? path : join(root, path)));
    return by === undefined ? [] : [[path, by]];
  });
  const items = cardItems({
    isResume: moment.name !== "compacted",
    meta,
    fileExists: existsSync,
    files: [...new Set(files)].slice(0, SHOWN),
    renamed,
    changed,
    uncommitted: git.uncommitted,
    stopped: stoppedAt(moment, surroundings),
  });
  const isTold = items.some((item) => item.key === "card/sets");
  return { sections: section("Session", items), ...(isTold ? { noted: tell("resume", moment, meta) } : {}) };
}

/** The files that a human or the agent pinned must survive the summary; the snapshot after it has them again. */
function handOver(moment: CompactingMoment, surroundings: Surroundings): Answer {
  const files = readMeta(fileOf(moment, surroundings), surroundings).context?.["files"] ?? [];
  if (files.length === 0) return {};
  const text = ["Pinned files. Keep these paths in the summary:", ...files.map((path) => `  - ${path}`)].join(
    "\n",
  );
  return {
    sections: section("Pinned files", [
      { key: "pinned", name: "pinned files", text, reason: "pinned", priority: 0 },
    ]),
  };
}

/** The agent rests: how files look now is what "changed since last time" will mean. */
async function idle(moment: IdleMoment, surroundings: Surroundings): Promise<Answer> {
  const file = fileOf(moment, surroundings);
  const meta = readMeta(file, surroundings);
  // Metadata is kept up only where somebody uses it: a file for every session would be noise.
  if (meta !== NO_META) {
    await file.update(() => ({ lastIdleAt: new Date(moment.at).toISOString(), unobserved: true }));
  }
  const { root } = moment.project;
  const pinned = meta.context?.["files"] ?? [];
  const paths = [...pinned, ...hottestFiles(surroundings.workingSet, SHOWN).map((use) => use.path)];
  if (paths.length === 0) return {};
  const stamped = stampAll(paths.map((path) => (isAbsolute(path) ? path : join(root, path))));
  const stamps = Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stamped[isAbsolute(path) ? path : join(root, path)];
      return stamp === undefined ? [] : [[path, stamp]];
    }),
  );
  return { remember: () => ({ stamps }) };
}

/** Tells those who listen in this process, and gives what the ledger keeps. */
function tell(reason: "load" | "resume", moment: Moment, meta: SessionMeta): EntryBody[] {
  if (meta.context === undefined) return [];
  const { host, id } = moment.session;
  const event: ContextEvent = {
    type: "context",
    reason,
    session: { host, id },
    added: [],
    removed: [],
    context: meta.context,
    at: moment.at,
  };
  publish(event);
  return [{ kind: "context", ...noted(event) }];
}

function fileOf(moment: Moment, surroundings: Surroundings): MetaFile {
  return metaFile(homeAt(surroundings.home), folderOfUser(surroundings.env), moment.session, {
    lockWaitMs: LOCK_WAIT_MS,
  });
}

/** Damaged metadata is left as it is and told of; the session goes on without it. */
function readMeta(file: MetaFile, surroundings: Surroundings): SessionMeta {
  try {
    return file.read() ?? NO_META;
  } catch (error) {
    const { code, message, hint } = describeError(error);
    surroundings.report(code, message, hint);
    return NO_META;
  }
}

function stoppedAt(moment: Moment, surroundings: Surroundings) {
  if (moment.transcript === undefined) return undefined;
  try {
    return lastRequest(moment.session.host, moment.transcript);
  } catch (error) {
    surroundings.report("transcript-unreadable", describeError(error).message);
    return undefined;
  }
}

/** Renames are looked for since the first file was touched. */
function since(workingSet: readonly FileUse[]): string {
  return new Date(Math.min(...workingSet.map((use) => use.at), Date.now())).toISOString();
}

function section(title: string, items: readonly Item[]): Section[] {
  return [
    { source: "context", title, nature: "reference", priority: SECTION_PRIORITY, essential: false, items },
  ];
}
