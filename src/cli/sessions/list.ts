import type { PastSession } from "../../sources/sessions/session.ts";
import type { Input, Outcome } from "../command.ts";
import { exactly, wholeOf } from "../memory/words.ts";
import { table } from "../table.ts";
import { oneLine } from "../width.ts";
import { day, origin, told } from "./told.ts";
import { type Branch, treeOf } from "./tree.ts";
import { filterOf, lookFirst, withSessions } from "./with-sessions.ts";

export function list(input: Input): Promise<Outcome> {
  if (input.positionals.length > 0) exactly(input, 1, "sessions list");
  const limit = wholeOf(input, "limit", 1, 100_000) ?? 20;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const all = sessions.list({ ...filter, spoken: true, limit: limit + 1 });
    const found = all.slice(0, limit);
    const rows = (input.values["tree"] === true ? treeOf(found) : found.map(flat)).map(rowOf);
    const text =
      found.length === 0
        ? "no session found"
        : table(["last active (UTC)", "host", "project", "prompts", "id", "name"], rows);
    if (all.length > limit) input.tell?.(`continuo: there are more than ${limit}; --limit shows more`);
    return { data: { sessions: found.map(told) }, text };
  });
}

const flat = (session: PastSession): Branch => ({ session, depth: 0 });

function rowOf({ session, depth }: Branch): string[] {
  const from = origin(session);
  const name = oneLine(session.name) + (from === "" ? "" : ` (${from})`);
  return [
    day(session.modified),
    session.host,
    oneLine(session.label ?? ""),
    String(session.counts.prompts),
    oneLine(session.id),
    depth === 0 ? name : `${"  ".repeat(depth - 1)}└ ${name}`,
  ];
}
