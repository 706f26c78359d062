import { oneLine } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { originOf } from "../../../sources/sessions/indexing/lineage.ts";
import { minute } from "../../../sources/sessions/labels.ts";
import type { SessionFilter, Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Input, Outcome } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { exactly, wholeOf } from "../notes/words.ts";
import { shortIds } from "./short-ids.ts";
import { told } from "./told.ts";
import { type Branch, treeOf } from "./tree.ts";
import { filterOf, HOSTS, lookFirst, withSessions } from "./with-sessions.ts";

export function list(input: Input): Promise<Outcome> {
  if (input.positionals.length > 0) exactly(input, 1, "sessions list");
  const limit = wholeOf(input, "limit", 1, 100_000) ?? 20;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const all = sessions.list({ ...filter, spoken: true, limit: limit + 1 });
    const found = all.slice(0, limit);
    const text = found.length === 0 ? nothing(sessions, filter) : tableOf(sessions, found, input);
    if (all.length > limit) input.tell?.(`continuo: there are more than ${limit}; --limit shows more`);
    return { data: { sessions: found.map((one) => told(one, sessions)) }, text };
  });
}

function nothing(sessions: Sessions, filter: SessionFilter): string {
  if (sessions.size().sessions > 0)
    return ["no session found", ...explainNoMatch(sessions, filter)].join("\n");
  return `no session found: none of ${HOSTS.join(", ")} has kept any on this machine`;
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
  // Of one that is not known here, a longer beginning: nothing says whether fewer signs would do.
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
