import { recentDeliveries, type SessionDeliveries } from "../../moments/state/recent-deliveries.ts";
import { waitingOf } from "../../moments/state/session-state.ts";
import { findHome } from "../../store/home.ts";
import type { Command } from "../command.ts";
import { table } from "../terminal/table.ts";

const SHOWN = 10;

export const status: Command = {
  name: "status",
  summary: "recent sessions: what each received, and its token cost",
  usage: "status",
  options: {},
  run({ env }) {
    const home = findHome(env);
    const ledger = recentDeliveries(home, { most: SHOWN });
    const { sessions } = ledger;
    if (sessions.length === 0) {
      const text = `Nothing has been delivered yet (home: ${home.root}).\nRun continuo doctor to see which hosts are set up, then start a session in one. To preview it: continuo start`;
      return { data: { home: home.root, sessions }, text };
    }
    const waits = sessions.flatMap(({ host, session }) => {
      const parts = waitingOf(home, { host, id: session }).length;
      return parts === 0 ? [] : [{ host, session, parts }];
    });
    const text = [
      `The last sessions (home: ${home.root}):`,
      table(
        ["host", "session", "project", "last", "snapshots", "additions", "items", "tokens"],
        sessions.map(row),
      ),
      ...waits.map(
        ({ session, parts }) =>
          `Waiting: ${parts} ${parts === 1 ? "part" : "parts"} for session ${session}, until its next prompt or tool call.`,
      ),
      ...(ledger.skipped === 0
        ? []
        : [
            `Counted from the newest ledger files; ${ledger.skipped} older ${ledger.skipped === 1 ? "file was" : "files were"} not read.`,
          ]),
    ].join("\n");
    return { data: { home: home.root, sessions, waiting: waits }, text };
  },
};

function row(one: SessionDeliveries): string[] {
  const { host, session, project, last, snapshots, additions, items, tokens } = one;
  return [
    host,
    session,
    label(project),
    last.slice(0, 19),
    ...[snapshots, additions, items, tokens].map(String),
  ];
}

function label(project: string | null): string {
  const parts = (project ?? "?").split(/[\\/]/).filter((part) => part !== "" && part !== ".git");
  return parts.at(-1) ?? "?";
}
