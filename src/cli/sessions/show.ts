import { ContinuoError } from "../../moments/errors.ts";
import { EXTRACTED, type SessionRecord } from "../../sources/sessions/record.ts";
import { handoffOf } from "../../sources/sessions/records/texts.ts";
import { resumeLine } from "../../sources/sessions/resume-command.ts";
import type { PastSession } from "../../sources/sessions/session.ts";
import type { Input, Outcome } from "../command.ts";
import { forTerminal, oneLine } from "../width.ts";
import { heading, told } from "./told.ts";
import { chosen, lookFirst, namedOrOwn, withSessions } from "./with-sessions.ts";

/** Its record, where it comes from and what came of it. */
export function show(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions show SESSION");
    const record = sessions.record(session);
    const ancestors = sessions.ancestors(session);
    const descendants = sessions.descendants(session);
    const { turns, prompts, compactions } = session.counts;
    const text = [
      heading(session),
      `  id ${session.id}; ${prompts} prompts, ${turns} turns, ${compactions} compaction(s)`,
      `  ${session.path}`,
      ...(resumeLine(session) === undefined ? [] : [`  ${resumeLine(session)}`]),
      ...related("came from", ancestors),
      ...related("led to", descendants),
      "",
      forTerminal(record?.summary ?? ""),
      ...(record === undefined
        ? []
        : ["", `tags: ${oneLine(record.tags.join(", "))}`, `record: ${writer(record)}`]),
    ].join("\n");
    const data = {
      session: told(session),
      record: record ?? null,
      ancestors: ancestors.map(told),
      descendants: descendants.map(told),
    };
    return { data, text };
  });
}

function writer({ model, updatedAt }: SessionRecord): string {
  const by = model === EXTRACTED ? "in the session's own words" : `by ${oneLine(model)}`;
  return `${by}, ${oneLine(updatedAt.slice(0, 16).replace("T", " "))}`;
}

function related(how: string, sessions: readonly PastSession[]): string[] {
  return sessions
    .slice(0, 10)
    .map((one) => `  ${how} ${one.id} ${oneLine(one.name)}${one.isChild ? " (child)" : ""}`);
}

export function resume(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions resume SESSION");
    const line = resumeLine(session);
    if (line !== undefined) return { data: { ...told(session), command: line }, text: line };
    throw new ContinuoError(
      "not-resumable",
      session.isGone
        ? "its host has deleted this session"
        : "a subagent's session cannot be resumed by itself",
      { hint: `continuo sessions handoff ${session.id} gives what a new session needs` },
    );
  });
}

export function handoff(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, namedOrOwn(input), "sessions handoff [SESSION]");
    const outline = sessions.outline(session);
    const text = outline === undefined ? "" : handoffOf(session, outline);
    return { data: { session: told(session), outline: outline ?? null, text }, text: forTerminal(text) };
  });
}
