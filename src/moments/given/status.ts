import { oneLine, shortId } from "../../base/for-terminal.ts";
import { ago, count, grouped } from "../../base/when.ts";
import { fields } from "../actions/fields.ts";
import { action } from "../ports/action.ts";
import type { Block } from "../ports/view.ts";
import type { WeekNumbers, Weeks } from "../ports/week.ts";
import { shortPath } from "../project/known-project.ts";
import { waitingOf } from "../state/activity.ts";
import { recentDeliveries } from "../state/recent-deliveries.ts";
import { costOf } from "./cost.ts";
import { projectName } from "./words.ts";

const SHOWN = 10;

export const status = action({
  name: "status",
  about: "what recent sessions received, and its cost",
  guide:
    "One line per session: how much Continuo added, and how many tokens that cost. Below it, what Continuo did in all projects in the last seven days, with the seven days before in brackets. A rule counts as given once for each session that got it. A session went on with earlier work if it was resumed, or if a prompt in it named a past one (`@@name`).",
  examples: [
    ["continuo status", "show the last ten sessions"],
    ["continuo status --json", "the same for a script, with exact times"],
  ],
  effect: "reads",
  input: fields({}),
  async run(_input, { home, now, others }) {
    const known = await others?.();
    const { sessions, skipped } = recentDeliveries(home, { most: SHOWN });
    const waiting = sessions.flatMap(({ host, session }) => {
      const parts = waitingOf(home, { host, id: session }, now()).length;
      return parts === 0 ? [] : [{ host, session, parts }];
    });
    const names = sessions.map(({ host, session }) => ({
      agent: known?.agentName(host) ?? host,
      name: oneLine(known?.sessionName({ host, session }) ?? ""),
    }));
    return { home: home.root, sessions, skipped, waiting, weeks: await known?.weeks(), names };
  },
  json: ({ home, sessions, waiting, weeks }) =>
    sessions.length === 0 ? { home, sessions, weeks } : { home, sessions, waiting, weeks },
  view({ home, sessions, skipped, waiting, weeks, names }, shown) {
    const { env, now, paint } = shown;
    const where = oneLine(shortPath(home, env));
    const [newest] = sessions;
    if (newest === undefined)
      return [
        `No session was given anything yet, so it has cost no tokens. What Continuo knows is in ${where}.`,
        {
          next: [
            ["continuo start", "What a new session here would get"],
            ["continuo install", "Which agents are connected"],
          ],
        },
      ];
    const rows = sessions.map((one, at) => [
      paint("bold", names[at]?.name || "unnamed session"),
      names[at]?.agent ?? one.host,
      one.project === null ? "?" : projectName(one.project),
      ago(one.last, now),
      String(one.items),
      String(one.tokens),
      paint("dim", shortId(one.session, sessions)),
    ]);
    const blocks: readonly Block[] = [
      { text: `Recent sessions, and what Continuo added ${paint("dim", `(${where})`)}`, isExact: true },
      {
        columns: ["session", "agent", "project", "last", "items", "tokens", "id"],
        rows,
        fit: { flexible: [0, 2], optional: [4, 6, 2, 1] },
      },
      costLine(sessions),
      ...(weeks === undefined ? [] : [weekLine(weeks)]),
      ...waiting.map(({ session, parts }) => {
        const name = names[sessions.findIndex((one) => one.session === session)]?.name;
        const who = name ? `"${name}"` : `session ${oneLine(session)}`;
        return `Waiting: ${count(parts, "part")} for ${who}, until its next prompt or tool call.`;
      }),
      ...(skipped === 0
        ? []
        : [
            `Counted from the newest ledger files; ${count(skipped, "older file was", "older files were")} not read.`,
          ]),
      {
        next: [
          [`continuo why ${shortId(newest.session, sessions)}`, "What it added to the newest, and why"],
          ["continuo sessions list", "All your sessions"],
        ],
      },
    ];
    return blocks;
  },
});

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
    : `Cost: about ${count(all, "token")} in these ${sessions.length} sessions. One session, on average: ${costOf(each)}`;
}
