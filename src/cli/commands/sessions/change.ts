import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Input, Outcome } from "../../command.ts";
import { told } from "./told.ts";
import { chosen, lookFirst, withSessions } from "./with-sessions.ts";

export function name(input: Input): Promise<Outcome> {
  const usage = "sessions name SESSION NAME…";
  const [, wanted, ...words] = input.positionals;
  if (wanted === undefined || words.length === 0)
    throw new ContinuoError("usage", "which session, and which name?", { hint: `usage: continuo ${usage}` });
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, [wanted], usage);
    const record = sessions.rename(session, words.join(" "));
    return { data: { record }, text: `${oneLine(session.id)} is now called "${oneLine(record.name)}"` };
  });
}

export function forget(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions forget SESSION");
    sessions.forget(session);
    const text = `forgotten: ${oneLine(session.id)} "${oneLine(session.name)}", and it will not be indexed again`;
    const rest = session.isGone
      ? ""
      : `\nits transcript is ${session.host}'s and stays: ${oneLine(session.path)}`;
    return { data: { forgotten: told(session, sessions) }, text: text + rest };
  });
}
