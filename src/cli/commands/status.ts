import { oneLine, shortId } from "../../base/for-terminal.ts";
import { ago, grouped } from "../../base/when.ts";
import { shortPath } from "../../moments/project/known-project.ts";
import { waitingOf } from "../../moments/state/activity.ts";
import { recentDeliveries } from "../../moments/state/recent-deliveries.ts";
import { type WeekNumbers, type Weeks, weeksUntil } from "../../sources/week.ts";
import { findHome } from "../../store/home.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { costOf } from "../cost.ts";
import { agentNamer, sessionNamer } from "../names.ts";
import { linesOf } from "../terminal/lines.ts";
import { nextSteps } from "../terminal/next-step.ts";
import { paintFor } from "../terminal/paint.ts";
import { PLAIN } from "../terminal/screen.ts";
import { counted, table } from "../terminal/table.ts";
import { wrapOn } from "../terminal/wrap.ts";

const SHOWN = 10;

export const status: Command = {
  name: "status",
  summary: "what recent sessions received, and its cost",
  usage: "status",
  section: "sessions",
  guide:
    "One line per session: how much Continuo added, and how many tokens that cost. Below it, what Continuo did in all projects in the last seven days, with the seven days before in brackets. A rule counts as given once for each session that got it. A session went on with earlier work if it was resumed, or if a prompt in it named a past one (`@@name`).",
  options: {},
  examples: [
    ["continuo status", "show the last ten sessions"],
    ["continuo status --json", "the same for a script, with exact times"],
  ],
  run: showStatus,
};

async function showStatus(input: Input): Promise<Outcome> {
  const { env, screen = PLAIN } = input;
  const home = findHome(env);
  const paint = paintFor(screen);
  const { sessions, skipped } = recentDeliveries(home, { most: SHOWN });
  const where = oneLine(shortPath(home.root, env));
  const weeks = await weeksUntil(home, input.now());
  if (sessions.length === 0) {
    const text = [
      wrapOn(
        `No session was given anything yet, so it has cost no tokens. What Continuo knows is in ${where}.`,
        screen,
      ),
      ...nextSteps(
        screen,
        ["continuo start", "What a new session here would get"],
        ["continuo install", "Which agents are connected"],
      ),
    ].join("\n");
    return { data: { home: home.root, sessions, weeks }, text };
  }
  const waits = sessions.flatMap(({ host, session }) => {
    const parts = waitingOf(home, { host, id: session }, input.now()).length;
    return parts === 0 ? [] : [{ host, session, parts }];
  });
  const agentOf = await agentNamer(input);
  const nameOf = await sessionNamer(input);
  const now = input.now();
  const rows = sessions.map((one) => [
    paint("bold", oneLine(nameOf(one)) || "unnamed session"),
    agentOf(one.host),
    label(one.project),
    ago(one.last, now),
    String(one.items),
    String(one.tokens),
    paint("dim", shortId(one.session, sessions)),
  ]);
  const text = linesOf(
    `Recent sessions, and what Continuo added ${paint("dim", `(${where})`)}`,
    table(["session", "agent", "project", "last", "items", "tokens", "id"], rows, screen, {
      flexible: [0, 2],
      optional: [4, 6, 2, 1],
    }),
    wrapOn(costLine(sessions), screen),
    wrapOn(weekLine(weeks), screen),
    ...waits.map((one) =>
      wrapOn(
        `Waiting: ${counted(one.parts, "part")} for ${waiting(nameOf(one), one.session)}, until its next prompt or tool call.`,
        screen,
      ),
    ),
    skipped > 0 &&
      `Counted from the newest ledger files; ${skipped} older ${skipped === 1 ? "file was" : "files were"} not read.`,
    ...nextSteps(
      screen,
      [
        `continuo why ${shortId(sessions[0]?.session ?? "", sessions)}`,
        "What it added to the newest, and why",
      ],
      ["continuo sessions list", "All your sessions"],
    ),
  ).join("\n");
  return { data: { home: home.root, sessions, waiting: waits, weeks }, text };
}

/** `Last 7 days (the 7 before): rules given 42 times (38), …`. */
function weekLine({ lastWeek, weekBefore }: Weeks): string {
  const one = (name: keyof WeekNumbers, words: string) => {
    const before = weekBefore === undefined ? "" : ` (${grouped(weekBefore[name])})`;
    return `${grouped(lastWeek[name])} ${words}${before}`;
  };
  const times = (name: keyof WeekNumbers) => (lastWeek[name] === 1 ? "time" : "times");
  const parts = [
    `rules given ${one("given", times("given"))}, broken ${one("broken", times("broken"))}, ${one("stopped", "of these stopped")}`,
    one(
      "resumed",
      lastWeek.resumed === 1 ? "session went on with earlier work" : "sessions went on with earlier work",
    ),
    one("tokens", lastWeek.tokens === 1 ? "token added" : "tokens added"),
  ];
  return `Last 7 days${weekBefore === undefined ? "" : " (the 7 before)"}: ${parts.join("; ")}.`;
}

function costLine(sessions: readonly { readonly tokens: number }[]): string {
  const all = sessions.reduce((sum, one) => sum + one.tokens, 0);
  const each = Math.round(all / sessions.length);
  return sessions.length === 1
    ? `Cost: ${costOf(all)}`
    : `Cost: about ${counted(all, "token")} in these ${sessions.length} sessions. One session, on average: ${costOf(each)}`;
}

function waiting(name: string, id: string): string {
  return name === "" ? `session ${oneLine(id)}` : `"${oneLine(name)}"`;
}

function label(project: string | null): string {
  const parts = (project ?? "?").split(/[\\/]/).filter((part) => part !== "" && part !== ".git");
  return parts.at(-1) ?? "?";
}
