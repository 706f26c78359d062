import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { type Origin, originOf } from "../../../sources/sessions/indexing/lineage.ts";
import { ABANDONED, minute } from "../../../sources/sessions/labels.ts";
import { EXTRACTED, type SessionRecord } from "../../../sources/sessions/records/files.ts";
import { handoffOf } from "../../../sources/sessions/records/texts.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Input, Outcome } from "../../command.ts";
import { counted } from "../../terminal/table.ts";
import { chosen, heading, namedOrOwn, syncFirst, toJson, withSessions } from "./with-sessions.ts";

/** The summary of a session, its origin and its descendants. */
export function show(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions show SESSION");
    const record = sessions.record(session);
    const ancestors = sessions.ancestors(session);
    const descendants = sessions.descendants(session);
    const { turns, prompts, compactions } = session.counts;
    const text = [
      heading(session),
      `  id ${oneLine(session.id)}; ${counted(prompts, "prompt")}, ${counted(turns, "turn")}, ${counted(compactions, "compaction")}`,
      `  ${oneLine(session.path)}`,
      ...(sessions.resumeLine(session) === undefined ? [] : [`  ${sessions.resumeLine(session) ?? ""}`]),
      ...from(session, ancestors),
      ...descendants
        .slice(0, MOST_RELATED)
        .map((one) => `  ${LED_TO[originOf(one)?.how ?? "fork of"]} ${named(one)}`),
      ...(descendants.length > MOST_RELATED ? [`  and ${descendants.length - MOST_RELATED} more`] : []),
      "",
      // Without the turn ids: they are in --json.
      (record?.summary ?? "").replace(/ \[\S+\]$/gm, ""),
      ...(record === undefined
        ? []
        : ["", `tags: ${oneLine(record.tags.join(", "))}`, `summary: ${writer(record)}`]),
    ].join("\n");
    const data = {
      session: toJson(session, sessions),
      record: record ?? null,
      ancestors: ancestors.map((one) => toJson(one, sessions)),
      descendants: descendants.map((one) => toJson(one, sessions)),
    };
    return { data, text };
  });
}

function writer({ model, updatedAt }: SessionRecord): string {
  const by = model === EXTRACTED ? "extracted (no model)" : `by ${oneLine(model)}`;
  return `${by}, ${oneLine(updatedAt.slice(0, 16).replace("T", " "))}`;
}

const MOST_RELATED = 10;
const LED_TO: Record<Origin["how"], string> = {
  "subagent of": "subagent:",
  "fork of": "fork:",
  continues: "continued by",
};

/** All ancestors; one that is not indexed is shown by its id only. */
function from(session: PastSession, ancestors: readonly PastSession[]): string[] {
  return [session, ...ancestors].slice(0, MOST_RELATED).flatMap((one, at) => {
    const origin = originOf(one);
    if (origin === undefined) return [];
    const known = ancestors[at];
    const shown = known === undefined ? `${oneLine(origin.id)} (not indexed)` : named(known);
    return [`${"  ".repeat(at + 1)}${origin.how} ${shown}`];
  });
}

const named = ({ id, name }: PastSession): string => `${oneLine(id)} ${oneLine(name)}`;

export function resume(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions resume SESSION");
    const line = sessions.resumeLine(session);
    if (line !== undefined)
      return { data: { ...toJson(session, sessions), command: line }, text: oneLine(line) };
    throw new ContinuoError(
      "not-resumable",
      session.isGone ? "the host has deleted this session" : "the session of a subagent cannot be resumed",
      { hint: `to continue in a new session: continuo sessions handoff ${session.id}` },
    );
  });
}

export function handoff(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, namedOrOwn(input), "sessions handoff [SESSION]");
    const outline = sessions.outline(session);
    if (outline === undefined)
      throw new ContinuoError("nothing-said", "this session is empty", {
        hint: "choose a session with at least one prompt",
      });
    const text = `${handoffOf(session, outline, sessions.record(session))}\n\n${askOn(session)}`;
    return { data: { session: toJson(session, sessions), outline, text }, text };
  });
}

/** The reader may have Continuo's tools, a shell, or neither. */
const askOn = ({ id }: PastSession): string =>
  `For anything else call query_session with session "${id}", or run: continuo sessions ask ${id} QUESTION`;

/** The whole session as Markdown, from the index: with secrets redacted, without injected text and tool results. */
export function exportSession(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
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
        // Passages of the same turn are joined.
        return (passages[at - 1]?.turn === turn && !isCalls ? "" : head) + text;
      }),
    ].join("\n");
    return { data: { session: toJson(session, sessions), record: record ?? null, passages }, text };
  });
}
