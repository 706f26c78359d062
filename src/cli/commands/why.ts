import { oneLine } from "../../base/for-terminal.ts";
import { mutesIn } from "../../moments/muted.ts";
import { describeBroken } from "../../moments/state/broken-line.ts";
import {
  type LedgerItem,
  type LedgerLine,
  ledgerJournal,
  readLedger,
  restoredAfter,
} from "../../moments/state/ledger.ts";
import { type WaitingPart, waitingOf } from "../../moments/state/session-state.ts";
import type { Context } from "../../sources/context/sets.ts";
import { findHome } from "../../store/home.ts";
import { readRecords } from "../../store/journal.ts";
import { readMutes } from "../../store/mutes.ts";
import type { Command } from "../command.ts";
import { counted, table } from "../terminal/table.ts";
import { checkFailures } from "./doctor/activity.ts";
import type { NamedFinding } from "./doctor/check.ts";
import { nameOf, scopeText, undoCommand } from "./mute/scope.ts";
import { chooseSession } from "./sets/session.ts";

/** For people in the middle of a session: what the model sees because of Continuo, and why. */
export const why: Command = {
  name: "why",
  summary: "what Continuo added to this session, and why",
  usage: "why [SESSION]",
  options: { host: { type: "string", value: "HOST", help: "only sessions of this host" } },
  async run(input) {
    const named = input.positionals[0];
    const values = named === undefined ? input.values : { ...input.values, session: named };
    const { session, project, file, line } = chooseSession({ ...input, values });
    const home = findHome(input.env);
    const ledger = readLedger(readRecords(ledgerJournal(home)).records);
    const epoch = thisEpoch(ledger, session.host, session.id);
    const context = file.read()?.context ?? {};
    const waiting = waitingOf(home, session);
    const muted = mutesIn(readMutes(home).mutes, session, project?.id ?? "");
    const failures = (await checkFailures(input, home)).filter((finding) => finding.status !== "ok");
    return {
      data: { host: session.host, session: session.id, ...epoch, waiting, context, muted, failures },
      text: [
        line,
        ...given(epoch),
        ...waits(waiting),
        ...kept(context),
        ...muted.map(
          (one) => `Muted: ${nameOf(one)} ${scopeText(one, input.cwd)} (undo: ${undoCommand(one)})`,
        ),
        ...failureLines(failures),
        FOOT,
      ].join("\n"),
    };
  },
};

const FOOT =
  "More: continuo rules why (rules that do not apply), continuo sessions receipt (the whole session).";

function given(epoch: ThisEpoch | undefined): string[] {
  if (epoch === undefined) return ["Continuo has added nothing to this session."];
  const { snapshot, additions, noRoom, guarded, broken, tokens } = epoch;
  return [
    `${epoch.compaction === undefined ? "Since the start" : `After compaction ${epoch.epoch - 1}`}: ${counted(tokens, "token")} in total`,
    ...(snapshot === undefined ? ["No snapshot: nothing applied."] : block("Snapshot", snapshot)),
    ...epoch.furtherParts.flatMap((part) => block("Snapshot, next part", part)),
    ...additions.flatMap((addition) => block("Added", addition)),
    ...(noRoom.length === 0 ? [] : ["No room for:", rows(noRoom)]),
    ...guarded.map((one) => `Guard: ${one.action} ${one.tool}: ${one.why}`),
    ...broken.map((one) => oneLine(`Broken (${one.reaction}): ${describeBroken(one)}`)),
    ...afterCompaction(epoch),
  ];
}

function block(title: string, line: Extract<LedgerLine, { kind: "delivered" }>): string[] {
  const head = `${title} at ${line.at.slice(0, 19)}, ${counted(line.tokens, "token")}:`;
  return line.items.length === 0 ? [`${head} only a notice`] : [head, rows(line.items)];
}

function rows(items: readonly LedgerItem[]): string {
  const cells = items.map((item) => [item.source, item.title, String(item.tokens), item.reason]);
  return table(["source", "item", "tokens", "why"], cells);
}

function afterCompaction({ compaction, restored: back, summary }: ThisEpoch): string[] {
  if (compaction === undefined) return [];
  const { active, reasserted, noRoom, lost } = compaction;
  const { restored, waiting } = back ?? { restored: reasserted, waiting: [] };
  const gone = [...(noRoom ?? []), ...lost];
  const kind = active.every((key) => key.startsWith("rules/")) ? "rule" : "item";
  const lostFiles = summary?.lostFiles ?? [];
  return [
    `${restored.length} of ${counted(active.length, kind)} restored after compaction (${compaction.at.slice(0, 19)})` +
      `${waiting.length === 0 ? "" : `, ${waiting.length} waiting`}` +
      `${gone.length === 0 ? "" : `, dropped: ${gone.join(", ")}`}`,
    ...(lostFiles.length === 0 ? [] : [`The summary dropped these files: ${lostFiles.join(", ")}`]),
  ];
}

/** Parts that did not fit into a hook output yet. */
function waits(parts: readonly WaitingPart[]): string[] {
  if (parts.length === 0) return [];
  const head = `Waiting: ${counted(parts.length, "more part")}, added with the next prompts and tool calls:`;
  return [head, rows(parts.flatMap((part) => part.items))];
}

function kept(context: Context): string[] {
  const sets = Object.entries(context).filter(([, items]) => items.length > 0);
  return sets.map(([name, items]) => `Context set ${name}: ${items.join(", ")}`);
}

function failureLines(failures: readonly NamedFinding[]): string[] {
  if (failures.length === 0) return ["No failures in the last 7 days."];
  return failures.flatMap(({ detail, mend }) => [
    `Failure: ${detail}`,
    ...(mend === "" ? [] : [`  -> ${mend}`]),
  ]);
}

type Line<K extends LedgerLine["kind"]> = Extract<LedgerLine, { readonly kind: K }>;

/** What the model of a session sees because of Continuo: the current epoch, from the ledger. */
export interface ThisEpoch {
  readonly epoch: number;
  readonly tokens: number;
  readonly snapshot: Line<"delivered"> | undefined;
  /** The parts of the snapshot after the first that were delivered. */
  readonly furtherParts: readonly Line<"delivered">[];
  readonly additions: readonly Line<"delivered">[];
  /** What had no room and was not delivered later either. */
  readonly noRoom: readonly LedgerItem[];
  /** The compaction that began this epoch. */
  readonly compaction: Line<"compacted"> | undefined;
  /** What was restored after it, and what waits. */
  readonly restored: ReturnType<typeof restoredAfter> | undefined;
  readonly summary: Line<"summarised"> | undefined;
  readonly guarded: readonly Line<"guarded">[];
  /** The last ones, without places that were told before. */
  readonly broken: readonly Line<"broken">[];
}

const MAX_BROKEN = 20;

/** Undefined if the ledger has nothing about the session. */
export function thisEpoch(
  ledger: readonly LedgerLine[],
  host: string,
  session: string,
): ThisEpoch | undefined {
  const all = ledger.filter((line) => line.session === session && line.host === host);
  if (all.length === 0) return undefined;
  const epoch = Math.max(...all.map((line) => line.epoch));
  const lines = all.filter((line) => line.epoch === epoch);
  const delivered = ofKind(lines, "delivered");
  const given = new Set(delivered.flatMap((line) => line.items.map(keyOf)));
  const dropped = new Map(delivered.flatMap((line) => line.dropped.map((item) => [keyOf(item), item])));
  const compaction = ofKind(lines, "compacted").at(-1);
  return {
    epoch,
    tokens: delivered.reduce((sum, line) => sum + line.tokens, 0),
    snapshot: delivered.find((line) => line.what === "snapshot"),
    furtherParts: delivered.filter((line) => line.what === "snapshot").slice(1),
    additions: delivered.filter((line) => line.what === "addition"),
    noRoom: [...dropped.values()].filter((item) => !given.has(keyOf(item))),
    compaction,
    restored: compaction && restoredAfter(compaction, lines),
    summary: ofKind(lines, "summarised").at(-1),
    guarded: ofKind(lines, "guarded"),
    broken: ofKind(lines, "broken")
      .filter(({ reaction }) => reaction !== "none")
      .slice(-MAX_BROKEN),
  };
}

function ofKind<K extends LedgerLine["kind"]>(lines: readonly LedgerLine[], kind: K): Line<K>[] {
  return lines.filter((line): line is Line<K> => line.kind === kind);
}

function keyOf(item: LedgerItem): string {
  return `${item.source}/${item.key}`;
}
