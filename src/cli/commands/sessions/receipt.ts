import { existsSync } from "node:fs";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine, shortId } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { findProject } from "../../../moments/project/project.ts";
import { waitingOf } from "../../../moments/state/activity.ts";
import { describeBroken, type LedgerLine, ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import { stateFile } from "../../../moments/state/session-state.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/index-path.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import type { SessionKey } from "../../../sources/sessions/session.ts";
import { findHome, type Home } from "../../../store/home.ts";
import { readRecords } from "../../../store/journal.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { chosen, withSessions } from "./with-sessions.ts";

/** Everything that was delivered to a session, with its cost and what each compaction dropped. */
export async function receipt(input: Input): Promise<Outcome> {
  const home = findHome(input.env);
  const all = readLedger(readRecords(ledgerJournal(home)).records);
  const wanted = await chooseSession(input, home, all);
  const lines = all.filter((line) => line.session === wanted);
  const first = lines[0];
  if (wanted === undefined || first === undefined) {
    const known = [...new Set(all.map((line) => line.session))].slice(-5).reverse();
    throw new ContinuoError(
      "no-such-session",
      wanted === undefined
        ? "nothing has been delivered yet"
        : `nothing was delivered to session "${wanted}"`,
      {
        hint:
          known.length === 0
            ? "set up an agent first: continuo install"
            : ["recent sessions:", ...known.map((id) => `  ${oneLine(id)}`)],
      },
    );
  }
  const delivered = lines.filter((line) => line.kind === "delivered");
  const tokens = delivered.reduce((sum, line) => sum + line.tokens, 0);
  const compactions = lines.filter((line) => line.kind === "compacted").length;
  const waiting = waitingOf(home, { host: first.host, id: wanted }, input.now());
  const name = await nameOf(input, home, { host: first.host, id: wanted });
  const data = {
    session: wanted,
    ...(name !== undefined && { name }),
    ...{ tokens, deliveries: delivered.length, compactions, lines, waiting },
  };
  const { screen = PLAIN, now } = input;
  const agent = await agentNamer(input);
  const paint = paintFor(screen);
  const text = [
    wrapOn(paint("bold", name ?? `Session ${oneLine(wanted)}`), screen),
    paint("dim", `  ${agent(first.host)}${name === undefined ? "" : `, id ${oneLine(wanted)}`}`),
    `  ${counted(delivered.length, "delivery", "deliveries")}, ${counted(tokens, "token")}, ${counted(compactions, "compaction")}`,
    ...lines.flatMap((line, at) => [
      ...(line.epoch === lines[at - 1]?.epoch ? [] : ["", paint("bold", epochTitle(line.epoch))]),
      wrapOn(
        `  ${paint("dim", ago(line.at, now()).padEnd(TIME_WIDTH))}  ${describe(line, input.cwd)}`,
        screen,
        {
          hang: 4,
        },
      ),
    ]),
    ...waiting.map(({ what, tokens: cost, items }) => {
      const names = items.map((item) => item.title).join(", ");
      const line = `  waiting for the next prompt or tool call: ${BLOCK[what]}, ${counted(cost, "token")}: ${oneLine(names) || "only a notice"}`;
      return wrapOn(line, screen, { hang: 4 });
    }),
    ...nextSteps(screen, [`continuo why ${shortId(wanted, lines)}`, "What of it is in the session now"]),
  ].join("\n");
  return { data, text };
}

const TIME_WIDTH = 10;
const BLOCK = { snapshot: "given at the beginning", addition: "added" } as const;

const epochTitle = (epoch: number): string =>
  epoch <= 1 ? "From the start of the session" : `After compaction ${epoch - 1}`;

/** Its name, if it is indexed. No index is made for it. */
async function nameOf(input: Input, home: Home, key: SessionKey): Promise<string | undefined> {
  if (!existsSync(sessionsIndexPath(home))) return undefined;
  const session = await withSessions(input, (sessions) => sessions.get(key));
  return session === undefined ? undefined : oneLine(shownName(session));
}

/** By id or unique prefix of it, or by name. Without one: the last session of this project that is not a subagent's, else the last of all. */
async function chooseSession(
  input: Input,
  home: Home,
  all: readonly LedgerLine[],
): Promise<string | undefined> {
  const named = input.positionals.slice(1).join(" ");
  const ids = [...new Set(all.map((line) => line.session))];
  if (named !== "") {
    const matching = ids.filter((id) => id.startsWith(named));
    if (ids.includes(named)) return named;
    if (matching.length === 1) return matching[0];
    if (!existsSync(sessionsIndexPath(home))) return named;
    return withSessions(
      input,
      (sessions) => chosen(input, sessions, [named], "sessions receipt [SESSION]").id,
    );
  }
  const project = findProject(input.cwd).id;
  const isRoot = (line: LedgerLine) => stateParent(home, line) === undefined;
  return (all.findLast((line) => line.project === project && isRoot(line)) ?? all.findLast(isRoot))?.session;
}

function stateParent(home: Home, line: LedgerLine): string | undefined {
  const session = { host: line.host, id: line.session };
  return stateFile(home, session, { lockWaitMs: 0, onDamaged: () => undefined }).read()?.session.parent;
}

/** Keys such as `rules/.continuo/rules/a.md` are for programs; people know the part after the source. */
function readable(keys: readonly string[]): string {
  return keys.map((key) => key.replace(/^\w+\//, "").replace(/^card\//, "")).join(", ");
}

function describe(line: LedgerLine, cwd: string): string {
  switch (line.kind) {
    case "delivered":
      return [
        `${BLOCK[line.what]}, ${counted(line.tokens, "token")}: ${oneLine(line.items.map((item) => item.title).join(", ")) || "only a notice"}`,
        ...line.items.map(
          (item) => `    ${oneLine(`${item.title}: ${item.reason.replaceAll(`${cwd}/`, "")}`)}`,
        ),
        ...(line.dropped.length === 0
          ? []
          : [`    no room for: ${oneLine(line.dropped.map((item) => item.title).join(", "))}`]),
      ].join("\n");
    case "looked":
      return line.missing.length === 0
        ? `seen in the agent's transcript: ${counted(line.seen.length, "text")}`
        : `did not reach the agent, and is given again: ${counted(line.missing.length, "text")}`;
    case "replayed":
      return "resumed: the same text again";
    case "compacting":
      return `compaction starts (${line.trigger})`;
    case "compacted": {
      const no = line.noRoom ?? [];
      const parts = [
        `compacted: ${line.reasserted.length} of ${counted(line.active.length, "item")} restored`,
        ...(line.waiting?.length ? [`${line.waiting.length} waiting for the next part`] : []),
        ...(no.length === 0 ? [] : [`no room for ${readable(no)}`]),
        ...(line.lost.length === 0 ? [] : [`dropped: ${readable(line.lost)}`]),
      ];
      return oneLine(parts.join(", "));
    }
    case "summarised":
      return oneLine(
        `the summary (${line.characters} characters) kept ${line.keptFiles.length} of ${counted(line.keptFiles.length + line.lostFiles.length, "file")} in use${line.lostFiles.length === 0 ? "" : `, dropped ${line.lostFiles.join(", ")}`}${line.restated.length === 0 ? "" : `; it repeats ${line.restated.join(", ")}`}`,
      );
    case "context":
      return line.reason === "changed"
        ? oneLine(
            `context changed${line.setName === undefined ? "" : ` (${line.setName})`}: ${[...line.added.map((item) => `+ ${item}`), ...line.removed.map((item) => `- ${item}`)].join(", ")}`,
          )
        : `context shown (${line.reason})`;
    case "guarded":
      return oneLine(`guard: ${line.action} ${line.tool}: ${line.why}`);
    case "broken":
      return oneLine(`broken (${line.reaction}): ${describeBroken(line)}`);
    case "checked":
      return `checked: ${counted(Object.keys(line.counts).length, "check")}`;
    case "ended":
      return line.why === "other" ? "ended" : oneLine(`ended (${line.why})`);
  }
}
