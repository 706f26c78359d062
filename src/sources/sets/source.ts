import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { describeError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { count } from "../../base/when.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
import type { EntryBody } from "../../moments/state/ledger.ts";
import {
  folderOfUser,
  type MetaFile,
  type MetaPatch,
  metaFile,
  NO_META,
  type SessionMeta,
} from "../../moments/state/session-meta.ts";
import type {
  CompactingMoment,
  IdleMoment,
  LastRequest,
  Moment,
  PromptMoment,
  StartMoment,
} from "../../moments/types.ts";
import { hottestFiles } from "../../moments/working-set.ts";
import { homeAt } from "../../store/home.ts";
import { redact } from "../../store/redact.ts";
import { priorityOf } from "../order.ts";
import { cardItems, filesInLine, formatContextForResume, MAX_PATHS, workingContext } from "./card.ts";
import { type ContextEvent, ledgerFields, publish } from "./events.ts";
import { changeSince, filesInUse, readStamps, type Stamps, stampAll, stampOf } from "./files-in-use.ts";

const LOCK_WAIT_MS = 300;

const SHOWN = 10;

export const context: Source = {
  name: "context",
  answersChildren: false,
  settings: {},
  answers: { start, prompt, compacting: handOver, compacted: card, idle },
};

/** If a session starts with sets, another program such as Caco set them: they are recorded, not delivered. */
function start(moment: StartMoment, sourceContext: SourceContext): Answer {
  const meta = readMeta(fileOf(moment, sourceContext), sourceContext);
  return sourceContext.readOnly ? {} : { ledgerEntries: () => publishSets("load", moment, meta) };
}

async function prompt(moment: PromptMoment, sourceContext: SourceContext): Promise<Answer> {
  const file = fileOf(moment, sourceContext);
  if (readMeta(file, sourceContext).unobserved === true) {
    await updateMeta(file, sourceContext, {
      unobserved: false,
      lastObservedAt: new Date(moment.at).toISOString(),
    });
  }
  return moment.afterResume === true ? card(moment, sourceContext) : {};
}

/** The card of a session that continues. */
async function card(moment: Moment, sourceContext: SourceContext): Promise<Answer> {
  const { root } = moment.project;
  const meta = readMeta(fileOf(moment, sourceContext), sourceContext);
  const files = await filesInUse(root, sourceContext);
  const { stamps, listed } = readMemo(sourceContext.memo);
  const isCompacted = moment.name === "compacted";
  const changed = Object.entries(stamps).flatMap(([path, before]): [string, string][] => {
    const by = changeSince(before, stampOf(isAbsolute(path) ? path : join(root, path)));
    return by === undefined ? [] : [[path, by]];
  });
  const sets = formatContextForResume(meta.context ?? {}, existsSync);
  const items = cardItems({
    isResume: !isCompacted,
    meta,
    hasSets: sets !== "",
    files: files.hottest.filter((path) => !listed.includes(path)).slice(0, SHOWN),
    renamed: files.renamed,
    changed,
    uncommitted: files.uncommitted,
    stopped: await stoppedAt(moment, sourceContext),
  });
  return {
    sections: [
      ...setsSection(sets),
      {
        ...section(`This session before the ${isCompacted ? "compaction" : "resume"}`, items),
        layout: "lines",
        summary: () => "session context",
      },
      ...(isCompacted ? filesSection(files.ranked) : []),
    ],
    // A resume in this epoch does not list them again.
    ...(isCompacted && {
      remember: (memo: unknown) => ({ ...readMemo(memo), listed: files.ranked.slice(0, MAX_PATHS) }),
    }),
    ledgerEntries: (delivered) =>
      delivered.has("context/card/sets") ? publishSets("resume", moment, meta) : [],
  };
}

/** The summariser is asked to keep pinned files and files in use; the next snapshot contains both as well. */
async function handOver(moment: CompactingMoment, sourceContext: SourceContext): Promise<Answer> {
  const pinned = readMeta(fileOf(moment, sourceContext), sourceContext).context?.["files"] ?? [];
  const { ranked } = await filesInUse(moment.project.root, sourceContext);
  const text = [
    "Pinned files. Keep these paths in the summary:",
    ...pinned.map((path) => `  - ${path}`),
  ].join("\n");
  const item: Item = { key: "pinned", name: "pinned files", text, reason: "pinned", priority: 1 };
  return {
    sections: [
      ...(pinned.length === 0 ? [] : [section("Pinned files", [item])]),
      ...(ranked.length === 0 ? [] : [section("Working context", [filesItem(workingContext(ranked))])]),
    ],
  };
}

function filesSection(paths: readonly string[]): Section[] {
  if (paths.length === 0) return [];
  const items = [filesItem(filesInLine(paths))];
  const summary = () => count(paths.length, "file in use", "files in use");
  return [
    {
      ...section("Files in use before the compaction", items),
      priority: priorityOf("working context"),
      isOfNow: true,
      layout: "lines",
      summary,
    },
  ];
}

function filesItem(text: string): Item {
  return { key: "working-context", name: "working context", text, reason: "files in use", priority: 0 };
}

function setsSection(text: string): Section[] {
  if (text === "") return [];
  const reason = "pinned in this session";
  return [section("Pinned in this session", [{ key: "card/sets", name: "sets", text, reason, priority: 0 }])];
}

/** Stamps the files: "changed since last time" refers to when the agent last went idle. */
async function idle(moment: IdleMoment, sourceContext: SourceContext): Promise<Answer> {
  const file = fileOf(moment, sourceContext);
  const meta = readMeta(file, sourceContext);
  // Metadata is updated only if it exists: a file for every session would be unnecessary.
  if (meta !== NO_META) {
    await updateMeta(file, sourceContext, {
      lastIdleAt: new Date(moment.at).toISOString(),
      unobserved: true,
    });
  }
  const { root } = moment.project;
  const pinned = meta.context?.["files"] ?? [];
  const paths = [...pinned, ...hottestFiles(sourceContext.workingSet, SHOWN).map((use) => use.path)];
  if (paths.length === 0) return {};
  const stamped = stampAll(paths.map((path) => (isAbsolute(path) ? path : join(root, path))));
  const stamps = Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stamped[isAbsolute(path) ? path : join(root, path)];
      return stamp === undefined ? [] : [[path, stamp]];
    }),
  );
  return { remember: (memo) => ({ ...readMemo(memo), stamps }) };
}

/** What this source remembers about a session. Read from disk, so a field of the wrong type counts as absent. */
function readMemo(value: unknown): { stamps: Stamps; listed: readonly string[] } {
  const memo = isRecord(value) ? value : {};
  const listed = Array.isArray(memo["listed"]) ? memo["listed"] : [];
  return { stamps: readStamps(memo["stamps"]), listed: listed.filter((path) => typeof path === "string") };
}

/** Publishes the sets to subscribers in this process, and returns the entry for the ledger. */
function publishSets(reason: "load" | "resume", moment: Moment, meta: SessionMeta): EntryBody[] {
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
  return [{ kind: "context", ...ledgerFields(event) }];
}

function fileOf(moment: Moment, sourceContext: SourceContext): MetaFile {
  return metaFile(homeAt(sourceContext.home), folderOfUser(sourceContext.env), moment.session, {
    lockWaitMs: LOCK_WAIT_MS,
  });
}

/** Damaged metadata is reported and not changed; the session continues without it. */
function readMeta(file: MetaFile, sourceContext: SourceContext): SessionMeta {
  try {
    return file.read() ?? NO_META;
  } catch (error) {
    const { code, message, hint } = describeError(error);
    sourceContext.report(code, message, hint);
    return NO_META;
  }
}

/** Snapshots are stored, so secrets are removed from the request. */
async function stoppedAt(moment: Moment, sourceContext: SourceContext): Promise<LastRequest | undefined> {
  const stopped = moment.stopped ?? (await readStopped(moment, sourceContext));
  return stopped && { ...stopped, text: redact(stopped.text) };
}

async function readStopped(moment: Moment, sourceContext: SourceContext): Promise<LastRequest | undefined> {
  if (moment.transcript === undefined) return undefined;
  try {
    const reader = (await sourceContext.history()).get(moment.session.host);
    return reader?.lastRequest?.(moment.transcript);
  } catch (error) {
    sourceContext.report("transcript-unreadable", describeError(error).message);
    return undefined;
  }
}

/** A failure is only reported: the answer matters more than these times. */
async function updateMeta(file: MetaFile, sourceContext: SourceContext, patch: MetaPatch): Promise<void> {
  try {
    await file.update(() => patch);
  } catch (error) {
    const { code, message, hint } = describeError(error);
    sourceContext.report(code, message, hint);
  }
}

/** Essential, because after a compaction nothing else is left of what was pinned. It is never long. */
function section(title: string, items: readonly Item[]): Section {
  return {
    source: "context",
    title,
    nature: "reference",
    priority: priorityOf("session card"),
    isOfNow: true,
    essential: true,
    items,
  };
}
