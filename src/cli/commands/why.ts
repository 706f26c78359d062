import { oneLine, shortId } from "../../base/for-terminal.ts";
import { ago } from "../../base/when.ts";
import { namedSession, sessionLine } from "../../moments/actions/session.ts";
import { nameOf, scopeText, undoCommand } from "../../moments/mutes/scope.ts";
import { shortPaths } from "../../moments/project/short-paths.ts";
import { sourceWord } from "../../moments/source-words.ts";
import { isOver, waitingOf } from "../../moments/state/activity.ts";
import { chooseSession } from "../../moments/state/choose-session.ts";
import {
  describeBroken,
  type LedgerItem,
  type LedgerLine,
  ledgerJournal,
  readLedger,
} from "../../moments/state/ledger.ts";
import { mutesIn } from "../../moments/state/muted.ts";
import type { SessionKey } from "../../moments/state/session-meta.ts";
import { peekState, type UnseenPart, type WaitingPart } from "../../moments/state/session-state.ts";
import { doneAbout } from "../../sources/rules/actions/report-places.ts";
import type { Context } from "../../sources/sets/sets.ts";
import { findHome } from "../../store/home.ts";
import { readRecords } from "../../store/journal.ts";
import { readMutes } from "../../store/mutes.ts";
import { placeFor, shownBlocks } from "../actions/as-command.ts";
import type { Command, Input } from "../command.ts";
import { costOf } from "../cost.ts";
import { linesOf } from "../terminal/lines.ts";
import { nextSteps } from "../terminal/next-step.ts";
import { hostOption } from "../terminal/options.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import { PLAIN, type Screen } from "../terminal/screen.ts";
import { counted, table } from "../terminal/table.ts";
import { wrapOn } from "../terminal/wrap.ts";
import type { NamedFinding } from "./doctor/check.ts";
import { checkFailures } from "./doctor/failures.ts";
import { type ThisEpoch, thisEpoch, titlesIn } from "./this-epoch.ts";

/** For people in the middle of a session: what the model sees because of Continuo, and why. */
export const why: Command = {
  name: "why",
  summary: "what Continuo added to a session, and why",
  usage: "why [SESSION]",
  section: "sessions",
  guide:
    "Lists every rule, note and past session that the agent received since the start or the last compaction, with the reason and the tokens.",
  options: {
    host: { type: "string", value: "AGENT", help: "only sessions of this agent", fallback: "all agents" },
  },
  arguments: { SESSION: { help: "id of a session (default: the current or last one of this project)" } },
  examples: [
    ["continuo why", "explain the current session, or the last one of this project"],
    ["continuo why --host codex", "explain the last Codex session of this project"],
  ],
  async run(input) {
    const named = input.positionals[0];
    const chosen = chooseSession(input, { session: named || undefined, host: hostOption(input) });
    const { session, project, file } = chosen;
    const home = findHome(input.env);
    const who = await namedSession(chosen, placeFor(input));
    const ledger = readLedger(readRecords(ledgerJournal(home)).records);
    const epoch = thisEpoch(ledger, session.host, session.id);
    const titles = titlesIn(ledger, session.host, session.id);
    const context = file.read()?.context ?? {};
    const state = peekState(home, session);
    const { waiting: left = [], unseen: handedOver = [] } = state ?? {};
    const hasEnded = state !== undefined && isOver(state, input.now());
    const waiting = waitingOf(home, session, input.now());
    const muted = mutesIn(readMutes(home).mutes, session, project?.id ?? "");
    const failures = [...checkFailures(input, home)].filter((finding) => finding.status !== "ok");
    const view = viewOf(input, project?.root ?? input.cwd, titles);
    const size = await contextWindowOf(input, session);
    return {
      data: { host: session.host, session: session.id, ...epoch, waiting, context, muted, failures },
      text: [
        ...shownBlocks((shown) => [sessionLine(who, shown)], input).split("\n"),
        ...given(epoch, view, size),
        ...(hasEnded ? neverAdded(left, view) : [...unseen(handedOver, view), ...waits(waiting, view)]),
        ...kept(context, view),
        ...muted.map((one) =>
          view.line(`Muted: ${nameOf(one)} ${scopeText(one, input.cwd)} (undo: ${undoCommand(one)})`),
        ),
        ...failureLines(failures, view),
        ...more(view, session.id),
      ].join("\n"),
    };
  },
};

/** From the transcript; undefined if its agent does not write it there. */
async function contextWindowOf({ history, env }: Input, session: SessionKey): Promise<number | undefined> {
  const reader = (await history()).get(session.host);
  if (reader?.contextWindow === undefined) return undefined;
  const file = reader.discover(env).find(({ id }) => id === session.id);
  try {
    return file && reader.contextWindow(file.path);
  } catch {
    return undefined; // the transcript cannot be read: the usual size is assumed
  }
}

/** How the parts of the answer are written for one screen. */
interface View {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly line: (text: string) => string;
  readonly when: (time: string) => string;
  readonly path: (text: string) => string;
  /** What people call an item, by `source/key`. */
  readonly titleOf: (key: string) => string;
}

function viewOf(
  { screen = PLAIN, env, now }: Input,
  root: string,
  titles: ReadonlyMap<string, string>,
): View {
  return {
    screen,
    paint: paintFor(screen),
    line: (text) => wrapOn(text, screen, { hang: 2 }),
    when: (time) => ago(time, now()),
    // Below the project or the home, the beginning of a path says nothing.
    path: (text) => shortPaths(text, root, env),
    titleOf: (key) => titles.get(key) || key,
  };
}

function more({ screen, line }: View, id: string): string[] {
  if (!screen.isTerminal)
    return [
      line(
        "More: continuo rules why (each rule and its condition), continuo sessions receipt (the whole session).",
      ),
    ];
  return nextSteps(
    screen,
    [`continuo sessions receipt ${shortId(id)}`, "The whole session"],
    ["continuo rules why", "Each rule and its condition"],
  );
}

function given(epoch: ThisEpoch | undefined, view: View, size: number | undefined): string[] {
  if (epoch === undefined) return ["Continuo has added nothing to this session."];
  const { snapshot, additions, noRoom, guarded, broken, missing } = epoch;
  const { paint, line } = view;
  const begin = epoch.compaction === undefined ? "Added at the start" : "Added after the compaction";
  return [
    line(costLine(epoch, size)),
    ...(snapshot !== undefined
      ? block(begin, snapshot, view)
      : missing.length === 0
        ? ["Nothing applied at the start."]
        : []),
    ...missing.flatMap((one) => block("Did not reach the agent", one, view)),
    ...epoch.furtherParts.flatMap((part) => block(`${begin}, next part`, part, view)),
    ...additions.flatMap((addition) => block("Added later", addition, view)),
    ...(noRoom.length === 0 ? [] : ["", paint("yellow", "No room for"), rows(noRoom, view)]),
    ...(guarded.length + broken.length === 0 ? [] : ["", paint("bold", "Checks")]),
    ...guarded.map((one) => line(`  ${oneLine(`${one.action} ${one.tool}: ${one.why}`)}`)),
    ...broken.map((one) =>
      line(`  ${paint("yellow", "Broken")} ${oneLine(`${describeBroken(one)} (${doneAbout(one)})`)}`),
    ),
    ...afterCompaction(epoch, view),
  ];
}

/** What the model's context holds of it now, and what the session was given before the last compaction. */
function costLine({ tokens, sessionTokens, compaction, epoch }: ThisEpoch, size: number | undefined): string {
  const now = `Cost: ${costOf(tokens, size)}`;
  return compaction === undefined ? now : `${now}, since compaction ${epoch - 1}; ${sessionTokens} in all`;
}

function block(title: string, line: Extract<LedgerLine, { kind: "delivered" }>, view: View): string[] {
  const facts = view.paint("dim", `(${view.when(line.at)}, ${counted(line.tokens, "token")} with headings)`);
  const head = view.line(`${view.paint("bold", title)} ${facts}`);
  return line.items.length === 0 ? ["", `${head}: only a notice`] : ["", head, rows(line.items, view)];
}

function rows(items: readonly LedgerItem[], { screen, path }: View): string {
  const cells = items.map((item) => [
    item.title,
    sourceWord(item.source),
    String(item.tokens),
    path(item.reason),
  ]);
  return table(["item", "source", "tokens", "why"], cells, screen, {
    wraps: [3],
    flexible: 0,
    optional: [1],
  });
}

function afterCompaction({ compaction, restored: back, summary }: ThisEpoch, view: View): string[] {
  if (compaction === undefined) return [];
  const { active, reasserted, noRoom, lost } = compaction;
  const { restored, waiting } = back ?? { restored: reasserted, waiting: [] };
  const gone = [...(noRoom ?? []), ...lost];
  const kind = active.every((key) => key.startsWith("rules/")) ? "rule" : "item";
  const lostFiles = summary?.lostFiles ?? [];
  return linesOf(
    "",
    view.line(
      `${restored.length} of ${counted(active.length, kind)} from before the compaction restored (${view.when(compaction.at)})` +
        `${waiting.length === 0 ? "" : `, ${waiting.length} waiting`}` +
        `${gone.length === 0 ? "" : `; not restored: ${oneLine(gone.map(view.titleOf).join(", "))}`}`,
    ),
    lostFiles.length > 0 && view.line(`The summary dropped these files: ${oneLine(lostFiles.join(", "))}`),
  );
}

/** Handed over, and whether the model has it is not known yet. */
function unseen(parts: readonly UnseenPart[], { line }: View): string[] {
  if (parts.length === 0) return [];
  return [
    "",
    line(
      `Not in the agent's transcript yet: ${counted(parts.length, "text")}. If the next turn does not show ${parts.length === 1 ? "it" : "them"}, ${parts.length === 1 ? "it is" : "they are"} added again.`,
    ),
  ];
}

/** Parts that did not fit into a hook output yet. */
function waits(parts: readonly WaitingPart[], view: View): string[] {
  if (parts.length === 0) return [];
  const head = `Waiting: ${counted(parts.length, "more part")}, added with the next prompts and tool calls:`;
  const items = parts.flatMap((part) => part.items);
  return ["", view.line(head), rows(items, view)];
}

/** What did not reach the agent is said where it was handed over. */
function neverAdded(parts: readonly WaitingPart[], view: View): string[] {
  const never = parts.filter(({ times }) => times === undefined);
  if (never.length === 0) return [];
  const items = never.flatMap((part) => part.items);
  return [
    "",
    view.line(`Not added before the session ended: ${counted(never.length, "part")}`),
    rows(items, view),
  ];
}

function kept(context: Context, { line, path, paint }: View): string[] {
  const sets = Object.entries(context).filter(([, items]) => items.length > 0);
  if (sets.length === 0) return [];
  return [
    "",
    paint("bold", "Sets"),
    ...sets.map(([name, items]) => line(`  ${oneLine(`${name}: ${items.map(path).join(", ")}`)}`)),
  ];
}

function failureLines(failures: readonly NamedFinding[], { line, paint }: View): string[] {
  if (failures.length === 0) return ["", "No failures in the last 7 days."];
  return [
    "",
    ...failures.flatMap(({ detail, mend }) => [
      line(`${paint("red", "Failure")}: ${oneLine(detail)}`),
      ...(mend === "" ? [] : [line(`  -> ${oneLine(mend)}`)]),
    ]),
  ];
}
