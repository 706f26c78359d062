import { ContinuoError } from "../../../base/errors.ts";
import { oneLine, shortId } from "../../../base/for-terminal.ts";
import { ago, count } from "../../../base/when.ts";
import { fields, optional } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { findProject } from "../../../moments/project/project.ts";
import { waitingOf } from "../../../moments/state/activity.ts";
import { stateOfSession } from "../../../moments/state/choose-session.ts";
import { describeBroken, type LedgerLine, ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import { readRecords } from "../../../store/journal.ts";
import { ifIndexed } from "../access.ts";
import { shownName } from "../labels.ts";
import { chosen } from "./choose.ts";
import { SESSION } from "./fields.ts";
import { agentNames } from "./shown.ts";

/** What was delivered to a session, with its cost and what each compaction dropped. */
export const receipt = action({
  name: "sessions receipt",
  about: "show everything Continuo added to a session, and its tokens",
  examples: [["continuo sessions receipt", "show it for the last session"]],
  effect: "reads",
  input: fields({ session: optional(SESSION) }),
  async run({ session: named }, place) {
    const { home } = place;
    const all = readLedger(readRecords(ledgerJournal(home)).records);
    const session = named === undefined ? lastOf(all, place) : await idOf(named, all, place);
    const lines = all.filter((line) => line.session === session);
    const [first] = lines;
    if (session === undefined || first === undefined) throw nothingAdded(session, all);
    const key = { host: first.host, id: session };
    const delivered = lines.filter((line) => line.kind === "delivered");
    const known = await ifIndexed(place, (library) => library.get(key));
    return {
      session,
      ...(known !== undefined && { name: oneLine(shownName(known)) }),
      tokens: delivered.reduce((sum, line) => sum + line.tokens, 0),
      deliveries: delivered.length,
      compactions: lines.filter((line) => line.kind === "compacted").length,
      lines,
      waiting: waitingOf(home, key, place.now()),
      agent: (await agentNames(place))(first.host),
    };
  },
  json: ({ agent: _, ...data }) => data,
  view({ session, name, tokens, deliveries, compactions, lines, waiting, agent }, { cwd, now, paint }) {
    return [
      paint("bold", name ?? `Session ${oneLine(session)}`),
      exact(paint("dim", `  ${agent}${name === undefined ? "" : `, id ${oneLine(session)}`}`)),
      exact(
        `  ${count(deliveries, "delivery", "deliveries")}, ${count(tokens, "token")}, ${count(compactions, "compaction")}`,
      ),
      ...lines.flatMap((line, at) => [
        ...(line.epoch === lines[at - 1]?.epoch ? [] : ["", paint("bold", epochTitle(line.epoch))]),
        { text: `  ${paint("dim", ago(line.at, now).padEnd(TIME_WIDTH))}  ${describe(line, cwd)}`, hang: 4 },
      ]),
      ...waiting.map(({ what, tokens: cost, items }) => {
        const names = items.map((item) => item.title).join(", ");
        const line = `  waiting for the next prompt or tool call: ${BLOCK[what]}, ${count(cost, "token")}: ${oneLine(names) || "only a notice"}`;
        return { text: line, hang: 4 };
      }),
      { next: [[`continuo why ${shortId(session, lines)}`, "What of it is in the session now"]] },
    ];
  },
});

function nothingAdded(session: string | undefined, all: readonly LedgerLine[]): ContinuoError {
  const known = [...new Set(all.map((line) => line.session))].slice(-5).reverse();
  return new ContinuoError(
    "no-such-session",
    session === undefined
      ? "nothing has been delivered yet"
      : `nothing was delivered to session "${session}"`,
    {
      hint:
        known.length === 0
          ? "set up an agent first: continuo install"
          : ["recent sessions:", ...known.map((id) => `  ${oneLine(id)}`)],
    },
  );
}

const TIME_WIDTH = 10;
const BLOCK = { snapshot: "given at the beginning", addition: "added" } as const;

const epochTitle = (epoch: number): string =>
  epoch <= 1 ? "From the start of the session" : `After compaction ${epoch - 1}`;

/** By id, a unique prefix of one, or a name. */
async function idOf(named: string, all: readonly LedgerLine[], place: Place): Promise<string> {
  const ids = [...new Set(all.map((line) => line.session))];
  if (ids.includes(named)) return named;
  const [one, ...others] = ids.filter((id) => id.startsWith(named));
  if (one !== undefined && others.length === 0) return one;
  return (await ifIndexed(place, (library) => chosen(place, library, { session: named }).id)) ?? named;
}

/**
 * The session in which it is called; else the last session of this project that is not a subagent's; else the last of
 * all.
 */
function lastOf(all: readonly LedgerLine[], { cwd, home, session: own }: Place): string | undefined {
  if (own !== undefined && all.some((line) => line.session === own.id)) return own.id;
  const project = findProject(cwd).id;
  const isRoot = ({ host, session: id }: LedgerLine) =>
    stateOfSession(home, { host, id })?.session.parent === undefined;
  return (all.findLast((line) => line.project === project && isRoot(line)) ?? all.findLast(isRoot))?.session;
}

/** Keys such as `rules/.continuo/rules/a.md` are for programs; people know the part after the source. */
function readable(keys: readonly string[]): string {
  return keys.map((key) => key.replace(/^\w+\//, "").replace(/^card\//, "")).join(", ");
}

function describe(line: LedgerLine, cwd: string): string {
  switch (line.kind) {
    case "delivered":
      return [
        `${BLOCK[line.what]}, ${count(line.tokens, "token")}: ${oneLine(line.items.map((item) => item.title).join(", ")) || "only a notice"}`,
        ...line.items.map(
          (item) => `    ${oneLine(`${item.title}: ${item.reason.replaceAll(`${cwd}/`, "")}`)}`,
        ),
        ...(line.dropped.length === 0
          ? []
          : [`    no room for: ${oneLine(line.dropped.map((item) => item.title).join(", "))}`]),
      ].join("\n");
    case "looked":
      return line.missing.length === 0
        ? `seen in the agent's transcript: ${count(line.seen.length, "text")}`
        : `did not reach the agent, and is given again: ${count(line.missing.length, "text")}`;
    case "replayed":
      return "resumed: the same text again";
    case "compacting":
      return `compaction starts (${line.trigger})`;
    case "compacted": {
      const no = line.noRoom ?? [];
      const parts = [
        `compacted: ${line.reasserted.length} of ${count(line.active.length, "item")} restored`,
        ...(line.waiting?.length ? [`${line.waiting.length} waiting for the next part`] : []),
        ...(no.length === 0 ? [] : [`no room for ${readable(no)}`]),
        ...(line.lost.length === 0 ? [] : [`dropped: ${readable(line.lost)}`]),
      ];
      return oneLine(parts.join(", "));
    }
    case "summarised":
      return oneLine(
        `the summary (${line.characters} characters) kept ${line.keptFiles.length} of ${count(line.keptFiles.length + line.lostFiles.length, "file")} in use${line.lostFiles.length === 0 ? "" : `, dropped ${line.lostFiles.join(", ")}`}${line.restated.length === 0 ? "" : `; it repeats ${line.restated.join(", ")}`}`,
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
      return `checked: ${count(Object.keys(line.counts).length, "check")}`;
    case "ended":
      return line.why === "other" ? "ended" : oneLine(`ended (${line.why})`);
  }
}
