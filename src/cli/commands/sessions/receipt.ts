import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findProject } from "../../../moments/project.ts";
import { describeBroken } from "../../../moments/state/broken-line.ts";
import { type LedgerLine, ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import { stateFile, waitingOf } from "../../../moments/state/session-state.ts";
import { findHome, type Home } from "../../../store/home.ts";
import { readRecords } from "../../../store/journal.ts";
import type { Input, Outcome } from "../../command.ts";
import { counted } from "../../terminal/table.ts";

/** Everything that was delivered to a session, with its cost and what each compaction dropped. */
export function receipt(input: Input): Outcome {
  const home = findHome(input.env);
  const all = readLedger(readRecords(ledgerJournal(home)).records);
  const wanted = chooseSession(input, home, all);
  const lines = all.filter((line) => line.session === wanted);
  if (wanted === undefined || lines.length === 0) {
    const known = [...new Set(all.map((line) => line.session))].slice(-5).reverse();
    throw new ContinuoError(
      "no-such-session",
      wanted === undefined ? "nothing has been delivered yet" : `unknown session "${wanted}"`,
      {
        hint:
          known.length === 0
            ? "set up a host first: continuo install claude-code"
            : `recent sessions: ${known.join(", ")}`,
      },
    );
  }
  const delivered = lines.filter((line) => line.kind === "delivered");
  const tokens = delivered.reduce((sum, line) => sum + line.tokens, 0);
  const compactions = lines.filter((line) => line.kind === "compacted").length;
  const waiting = waitingOf(home, { host: lines[0]?.host ?? "", id: wanted });
  const data = { session: wanted, tokens, deliveries: delivered.length, compactions, lines, waiting };
  const text = [
    `Session ${wanted}: ${counted(delivered.length, "delivery", "deliveries")}, ${counted(tokens, "token")}, ${counted(compactions, "compaction")}`,
    ...lines.map((line) => `  ${line.at.slice(0, 19)}  epoch ${line.epoch}  ${describe(line)}`),
    ...waiting.map(({ what, tokens: cost, items }) => {
      const names = items.map((item) => item.title).join(", ");
      return `  waiting for the next prompt or tool call: ${what}, ${counted(cost, "token")}: ${names || "only a notice"}`;
    }),
  ].join("\n");
  return { data, text };
}

/** By id or unique prefix of it. Without one: the last session of this project that is not a subagent's, else the last of all. */
function chooseSession(input: Input, home: Home, all: readonly LedgerLine[]): string | undefined {
  const named = input.positionals[1];
  const ids = [...new Set(all.map((line) => line.session))];
  if (named !== undefined) {
    const matching = ids.filter((id) => id.startsWith(named));
    return ids.includes(named) ? named : matching.length === 1 ? matching[0] : named;
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

function describe(line: LedgerLine): string {
  switch (line.kind) {
    case "delivered":
      return [
        `${line.what}, ${counted(line.tokens, "token")}: ${oneLine(line.items.map((item) => item.title).join(", ")) || "only a notice"}`,
        ...line.items.map((item) => `    ${oneLine(`${item.title}: ${item.reason}`)}`),
        ...(line.dropped.length === 0
          ? []
          : [`    no room for: ${oneLine(line.dropped.map((item) => item.title).join(", "))}`]),
      ].join("\n");
    case "replayed":
      return "resumed: the same snapshot again";
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
      return `ended (${line.why})`;
  }
}
