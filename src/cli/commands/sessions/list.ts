import { oneLine } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { originOf } from "../../../sources/sessions/indexing/lineage.ts";
import { minute } from "../../../sources/sessions/labels.ts";
import type { SessionFilter, Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Input, Outcome } from "../../command.ts";
import { exactly, wholeOption } from "../../terminal/options.ts";
import { footer, table } from "../../terminal/table.ts";
import { filterOf, HOSTS, syncFirst, toJson, withSessions } from "./with-sessions.ts";

export function list(input: Input): Promise<Outcome> {
  if (input.positionals.length > 0) exactly(input, 1, "sessions list");
  const limit = wholeOption(input, "limit", 1, 100_000) ?? 20;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const all = sessions.list({ ...filter, spoken: true });
    const shown = all.slice(0, limit);
    const lines = [
      shown.length === 0 ? noneFound(sessions, filter) : tableOf(sessions, shown, input),
      ...(all.length > shown.length ? ["", footer(shown.length, all.length)] : []),
    ];
    return { data: { sessions: shown.map((one) => toJson(one, sessions)) }, text: lines.join("\n") };
  });
}

function noneFound(sessions: Sessions, filter: SessionFilter): string {
  if (sessions.size().sessions > 0)
    return ["No sessions found.", ...explainNoMatch(sessions, filter)].join("\n");
  return `No sessions found: there are no transcripts of ${HOSTS.join(", ")} on this machine.`;
}

function tableOf(sessions: Sessions, found: readonly PastSession[], { values }: Input): string {
  const short = shortIds(sessions.list().map(({ id }) => id));
  const branches = values["tree"] === true ? treeOf(found) : found.map((session) => ({ session, depth: 0 }));
  return table(
    ["last active (UTC)", "host", "project", "prompts", "id", "name"],
    branches.map((branch) => rowOf(branch, short)),
  );
}

function rowOf({ session, depth }: Branch, short: ReadonlyMap<string, string>): string[] {
  const from = originOf(session);
  // An id that is not indexed gets more characters, because its shortest unique prefix is unknown.
  const origin = from === undefined ? "" : oneLine(short.get(from.id) ?? from.id.slice(0, 13));
  const name = oneLine(session.name) + (from === undefined ? "" : ` (${from.how} ${origin})`);
  return [
    minute(session.modified),
    session.host,
    oneLine(session.label ?? ""),
    String(session.counts.prompts),
    oneLine(short.get(session.id) ?? session.id),
    depth === 0 ? name : `${"  ".repeat(depth - 1)}└ ${name}`,
  ];
}

export interface Branch {
  readonly session: PastSession;
  /** 0 for a session without an origin in the list. */
  readonly depth: number;
}

/** Each session followed by its descendants; otherwise in the order of the list. */
export function treeOf(sessions: readonly PastSession[]): Branch[] {
  const keyOf = (host: string, id: string): string => `${host}/${id}`;
  const listed = new Set(sessions.map(({ host, id }) => keyOf(host, id)));
  const below = new Map<string, PastSession[]>();
  const roots: PastSession[] = [];
  for (const session of sessions) {
    const from = originOf(session);
    const key = from === undefined ? "" : keyOf(session.host, from.id);
    if (!listed.has(key)) roots.push(session);
    else below.set(key, [...(below.get(key) ?? []), session]);
  }
  const tree: Branch[] = [];
  const done = new Set<PastSession>();
  const grow = (session: PastSession, depth: number): void => {
    if (done.has(session)) return;
    done.add(session);
    tree.push({ session, depth });
    for (const one of below.get(keyOf(session.host, session.id)) ?? []) grow(one, depth + 1);
  };
  for (const root of roots) grow(root, 0);
  // Transcripts that name each other as their origin have no root.
  for (const session of sessions) grow(session, 0);
  return tree;
}

const LEAST = 8;

/**
 * The shortest unique prefix of each id. It is accepted wherever an id is, and keeps the rows of a list short. One fixed
 * length would not do: ids of some hosts begin with the time, so that many share a long prefix.
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)]
    .map((id) => ({ id, compared: id.toLowerCase() }))
    .sort((a, b) => (a.compared < b.compared ? -1 : 1));
  return new Map(
    sorted.map(({ id, compared }, at) => {
      const shared = [sorted[at - 1], sorted[at + 1]].map((one) => sharedBy(compared, one?.compared ?? ""));
      return [id, id.slice(0, Math.max(LEAST, ...shared.map((length) => length + 1)))];
    }),
  );
}

function sharedBy(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
