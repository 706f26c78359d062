import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import type { Shown } from "../../../moments/ports/view.ts";
import { familiesOf, type Kin, originOf } from "../indexing/lineage.ts";
import { shownName } from "../labels.ts";
import type { PastSession } from "../session.ts";
import { FILTERS, filterOf, limit } from "./fields.ts";
import { withFresh } from "./fresh.ts";
import { listed, type Names, namesFor, nothingFound, showing, toJson } from "./shown.ts";

export const list = action({
  name: "sessions list",
  about: "list recent sessions",
  examples: [
    ["continuo sessions list --project .", "list the sessions of this project"],
    ["continuo sessions list --file lib/cart.ts", "list the sessions that used a file"],
    ["continuo sessions list --since 7d --host codex", "list what Codex did in the last week"],
  ],
  effect: "reads",
  input: fields({
    ...FILTERS,
    limit: limit("show at most this many", 100_000, 20),
    tree: optional(flag("show forks and continuations below their session")),
  }),
  run({ limit: most = 20, tree: isTree = false, ...given }, place) {
    const filter = filterOf(given, place);
    return withFresh(place, async (library) => {
      const all = library.list({ ...filter, spoken: true });
      return {
        sessions: all.slice(0, most).map((one) => listed(one, library)),
        total: all.length,
        isTree,
        names: await namesFor(place, library),
        nothing: all.length > 0 ? [] : await nothingFound(place, library, filter, "No sessions found."),
      };
    });
  },
  json: ({ sessions }) => ({ sessions: sessions.map(toJson) }),
  view({ sessions, total, isTree, names, nothing }, shown) {
    const [first] = sessions;
    if (first === undefined) return nothing;
    const branches = isTree ? treeOf(sessions) : sessions.map((session) => ({ session, depth: 0 }));
    const more = showing(sessions.length, total);
    return [
      {
        columns: ["last active", "agent", "project", "prompts", "id", "name"],
        rows: branches.map((branch) => rowOf(branch, names, shown)),
        // The prompts column is dropped first, then the agent column.
        fit: { flexible: 5, optional: [3, 1, 2] },
      },
      ...(more.length > 0 ? ["", ...more] : []),
      {
        next: [
          [`continuo sessions show ${names.short(first.id)}`, "Show one"],
          [`continuo sessions resume ${names.short(first.id)}`, "Resume one"],
        ],
      },
    ];
  },
});

function rowOf(
  { session, depth }: Kin<PastSession>,
  { agent, short }: Names,
  { paint, now, isAscii }: Shown,
): readonly string[] {
  const from = originOf(session);
  const origin = from === undefined ? "" : paint("dim", ` (${from.how} ${short(from.id)})`);
  const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${isAscii ? "`" : "└"} `;
  return [
    ago(session.modified, now),
    agent(session.host),
    oneLine(session.label ?? ""),
    String(session.counts.prompts),
    paint("dim", short(session.id)),
    branch + oneLine(shownName(session)) + origin,
  ];
}

function treeOf(sessions: readonly PastSession[]): Kin<PastSession>[] {
  const keyOf = (host: string, id: string) => `${host}/${id}`;
  return familiesOf(
    sessions,
    ({ host, id }) => keyOf(host, id),
    (one) => {
      const origin = originOf(one);
      return origin && keyOf(one.host, origin.id);
    },
  ).flat();
}
