import { oneLine, shortId } from "../../base/for-terminal.ts";
import { ago, count } from "../../base/when.ts";
import { readRecords } from "../../store/journal.ts";
import { readMutes } from "../../store/mutes.ts";
import { fields, optional, text } from "../actions/fields.ts";
import { namedSession, SESSION, sessionLine } from "../actions/session.ts";
import { nameOf, scopeText, undoCommand } from "../mutes/scope.ts";
import { action, type Failure, type Place } from "../ports/action.ts";
import type { Block, Shown } from "../ports/view.ts";
import { shortPaths } from "../project/short-paths.ts";
import { sourceWord } from "../source-words.ts";
import { isOver, waitingOf } from "../state/activity.ts";
import { chooseSession } from "../state/choose-session.ts";
import { describeBroken, type LedgerItem, ledgerJournal, readLedger } from "../state/ledger.ts";
import { mutesIn } from "../state/muted.ts";
import { peekState, type WaitingPart } from "../state/session-state.ts";
import type { Session } from "../types.ts";
import { costOf } from "./cost.ts";
import { type Line, type ThisEpoch, thisEpoch, titlesIn } from "./this-epoch.ts";
import { doneAbout } from "./words.ts";

/** For users in the middle of a session: what the model sees because of Continuo, and why. */
export const why = action({
  name: "why",
  about: "what Continuo added to a session, and why",
  guide:
    "Lists every rule, note and past session that the agent received since the start or the last compaction, with the reason and the tokens.",
  examples: [
    ["continuo why", "explain the current session, or the last one of this project"],
    ["continuo why --host codex", "explain the last Codex session of this project"],
  ],
  effect: "reads",
  input: fields({
    session: optional(
      text("id of a session (default: the current or last one of this project)", { typed: "word" }),
    ),
    host: SESSION.host,
  }),
  async run(wanted, place) {
    const { home, cwd, now } = place;
    const chosen = chooseSession(place, wanted);
    const { session, project, file } = chosen;
    const ledger = readLedger(readRecords(ledgerJournal(home)).records);
    const state = peekState(home, session);
    return {
      session,
      named: await namedSession(chosen, place),
      epoch: thisEpoch(ledger, session.host, session.id),
      titles: titlesIn(ledger, session.host, session.id),
      root: project?.root ?? cwd,
      state,
      hasEnded: state !== undefined && isOver(state, now()),
      waiting: waitingOf(home, session, now()),
      context: file.read()?.context ?? {},
      muted: mutesIn(readMutes(home).mutes, session, project?.id ?? ""),
      // Inside an agent nobody looks for them.
      failures: await (await place.others?.())?.failures(),
      size: await contextWindowOf(place, session),
    };
  },
  json: ({ session, epoch, waiting, context, muted, failures }) => ({
    host: session.host,
    session: session.id,
    ...epoch,
    waiting,
    context,
    muted,
    failures: failures ?? [],
  }),
  view(found, shown) {
    const { session, named, epoch, root, state, hasEnded, waiting, context, muted, failures, size } = found;
    const path = (said: string) => shortPaths(said, root, shown.env);
    return [
      sessionLine(named, shown),
      ...(epoch === undefined
        ? ["Continuo has added nothing to this session."]
        : given(epoch, { path, size, titleOf: (key) => found.titles.get(key) || key }, shown)),
      ...(hasEnded
        ? neverAdded(state?.waiting ?? [], path)
        : [...unseen(state?.unseen?.length ?? 0), ...waits(waiting, path)]),
      ...kept(context, path, shown),
      ...muted.map((one) =>
        hung(`Muted: ${nameOf(one)} ${scopeText(one, shown.cwd)} (undo: ${undoCommand(one)})`),
      ),
      ...failureLines(failures, shown),
      shown.isPiped
        ? hung(
            "More: continuo rules why (each rule and its condition), continuo sessions receipt (the whole session).",
          )
        : {
            next: [
              [`continuo sessions receipt ${shortId(session.id)}`, "The whole session"],
              ["continuo rules why", "Each rule and its condition"],
            ],
          },
    ];
  },
});

/** From the transcript; undefined if its agent does not record it there. */
async function contextWindowOf(
  { history, env }: Place,
  session: Pick<Session, "host" | "id">,
): Promise<number | undefined> {
  const reader = (await history()).get(session.host);
  if (reader?.contextWindow === undefined) return undefined;
  const file = reader.discover(env).find(({ id }) => id === session.id);
  try {
    return file && reader.contextWindow(file.path);
  } catch {
    return undefined; // the transcript cannot be read: the usual size is assumed
  }
}

type Shorten = (text: string) => string;

interface Words {
  /** Shortens paths below the project or the home, whose beginnings are not informative. */
  readonly path: Shorten;
  /** The title of an item, by `source/key`. */
  readonly titleOf: (key: string) => string;
  /** The size of the model's context, if known. */
  readonly size: number | undefined;
}

const hung = (line: string): Block => ({ text: line, hang: 2 });

function given(epoch: ThisEpoch, words: Words, shown: Shown): Block[] {
  const { snapshot, additions, noRoom, guarded, broken, missing, compaction } = epoch;
  const { path } = words;
  const { paint } = shown;
  const begin = compaction === undefined ? "Added at the start" : "Added after the compaction";
  const block = (title: string, { at, tokens, items }: Line<"delivered">): Block[] => {
    const facts = paint("dim", `(${ago(at, shown.now)}, ${count(tokens, "token")} with headings)`);
    const head = `${paint("bold", title)} ${facts}`;
    return items.length === 0 ? ["", hung(`${head}: only a notice`)] : ["", hung(head), rows(items, path)];
  };
  return [
    hung(costLine(epoch, words.size)),
    ...(snapshot !== undefined
      ? block(begin, snapshot)
      : missing.length === 0
        ? ["Nothing applied at the start."]
        : []),
    ...missing.flatMap((one) => block("Did not reach the agent", one)),
    ...epoch.furtherParts.flatMap((part) => block(`${begin}, next part`, part)),
    ...additions.flatMap((addition) => block("Added later", addition)),
    ...(noRoom.length === 0 ? [] : ["", paint("yellow", "No room for"), rows(noRoom, path)]),
    ...(guarded.length + broken.length === 0 ? [] : ["", paint("bold", "Checks")]),
    ...guarded.map((one) => hung(`  ${oneLine(`${one.action} ${one.tool}: ${one.why}`)}`)),
    ...broken.map((one) =>
      hung(`  ${paint("yellow", "Broken")} ${oneLine(`${describeBroken(one)} (${doneAbout(one)})`)}`),
    ),
    ...afterCompaction(epoch, words, shown),
  ];
}

/** What the model's context contains now, and what was delivered before the last compaction. */
function costLine({ tokens, sessionTokens, compaction, epoch }: ThisEpoch, size: number | undefined): string {
  const now = `Cost: ${costOf(tokens, size)}`;
  return compaction === undefined ? now : `${now}, since compaction ${epoch - 1}; ${sessionTokens} in all`;
}

function rows(items: readonly LedgerItem[], path: Shorten): Block {
  return {
    columns: ["item", "source", "tokens", "why"],
    rows: items.map((item) => [item.title, sourceWord(item.source), String(item.tokens), path(item.reason)]),
    fit: { wraps: [3], flexible: 0, optional: [1] },
  };
}

function afterCompaction(
  { compaction, restored: back, summary }: ThisEpoch,
  { titleOf }: Words,
  { now }: Shown,
): Block[] {
  if (compaction === undefined) return [];
  const { active, reasserted, noRoom, lost } = compaction;
  const { restored, waiting } = back ?? { restored: reasserted, waiting: [] };
  const gone = [...(noRoom ?? []), ...lost];
  const kind = active.every((key) => key.startsWith("rules/")) ? "rule" : "item";
  const lostFiles = summary?.lostFiles ?? [];
  return [
    "",
    hung(
      `${restored.length} of ${count(active.length, kind)} from before the compaction restored (${ago(compaction.at, now)})` +
        `${waiting.length === 0 ? "" : `, ${waiting.length} waiting`}` +
        `${gone.length === 0 ? "" : `; not restored: ${oneLine(gone.map(titleOf).join(", "))}`}`,
    ),
    ...(lostFiles.length === 0
      ? []
      : [hung(`The summary dropped these files: ${oneLine(lostFiles.join(", "))}`)]),
  ];
}

/** Passed to the agent, but not confirmed yet. */
function unseen(texts: number): Block[] {
  if (texts === 0) return [];
  const [them, they] = texts === 1 ? ["it", "it is"] : ["them", "they are"];
  return [
    "",
    hung(
      `Not in the agent's transcript yet: ${count(texts, "text")}. If the next turn does not show ${them}, ${they} added again.`,
    ),
  ];
}

/** Parts that did not fit into a hook output yet. */
function waits(parts: readonly WaitingPart[], path: Shorten): Block[] {
  if (parts.length === 0) return [];
  const head = `Waiting: ${count(parts.length, "more part")}, added with the next prompts and tool calls:`;
  return [
    "",
    hung(head),
    rows(
      parts.flatMap((part) => part.items),
      path,
    ),
  ];
}

/** What did not reach the agent is reported where it was delivered. */
function neverAdded(parts: readonly WaitingPart[], path: Shorten): Block[] {
  const never = parts.filter(({ times }) => times === undefined);
  if (never.length === 0) return [];
  const items = never.flatMap((part) => part.items);
  return ["", hung(`Not added before the session ended: ${count(never.length, "part")}`), rows(items, path)];
}

function kept(
  context: Readonly<Record<string, readonly string[]>>,
  path: Shorten,
  { paint }: Shown,
): Block[] {
  const sets = Object.entries(context).filter(([, items]) => items.length > 0);
  if (sets.length === 0) return [];
  return [
    "",
    paint("bold", "Sets"),
    ...sets.map(([name, items]) => hung(`  ${oneLine(`${name}: ${items.map(path).join(", ")}`)}`)),
  ];
}

function failureLines(failures: readonly Failure[] | undefined, { paint }: Shown): Block[] {
  if (failures === undefined) return [];
  if (failures.length === 0) return ["", "No failures in the last 7 days."];
  return [
    "",
    ...failures.flatMap(({ detail, mend }) => [
      hung(`${paint("red", "Failure")}: ${oneLine(detail)}`),
      ...(mend === "" ? [] : [hung(`  -> ${oneLine(mend)}`)]),
    ]),
  ];
}
