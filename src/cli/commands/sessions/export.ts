import { ABANDONED, minute } from "../../../sources/sessions/labels.ts";
import type { Input, Outcome } from "../../command.ts";
import { told } from "./told.ts";
import { chosen, lookFirst, withSessions } from "./with-sessions.ts";

/** The whole session as Markdown, from the index: secrets are redacted, injected text and tools' answers left out. */
export function exported(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions export SESSION");
    const record = sessions.record(session);
    const passages = sessions.allPassages(session);
    const text = [
      `# ${session.name}`,
      `${session.host}, ${session.id}, ${minute(session.started)} to ${minute(session.modified)} UTC`,
      "",
      record?.description ?? "",
      ...passages.map(({ role, isCalls, text, time, turn, isLeft }, at) => {
        const head = `\n## ${isCalls ? "tools" : role}${time === undefined ? "" : `, ${minute(time)}`} [${turn}]${isLeft ? ABANDONED : ""}\n`;
        // Passages of one turn are one text again.
        return (passages[at - 1]?.turn === turn && !isCalls ? "" : head) + text;
      }),
    ].join("\n");
    return { data: { session: told(session, sessions), record: record ?? null, passages }, text };
  });
}
