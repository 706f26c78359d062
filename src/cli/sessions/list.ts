import type { Input, Outcome } from "../command.ts";
import { exactly, wholeOf } from "../memory/words.ts";
import { table } from "../table.ts";
import { oneLine } from "../width.ts";
import { day, told } from "./told.ts";
import { filterOf, lookFirst, withSessions } from "./with-sessions.ts";

export function list(input: Input): Promise<Outcome> {
  exactly(input, 1, "sessions list");
  const limit = wholeOf(input, "limit", 1, 100_000) ?? 20;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const found = sessions.list({ ...filter, limit });
    const rows = found.map((one) => [
      day(one.modified),
      one.isChild ? `${one.host} (child)` : one.host,
      oneLine(one.label ?? ""),
      String(one.counts.prompts),
      one.id,
      oneLine(one.name),
    ]);
    const text =
      found.length === 0
        ? "no session found"
        : table(["last active", "host", "project", "prompts", "id", "name"], rows);
    return { data: { sessions: found.map(told) }, text };
  });
}
