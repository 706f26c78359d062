import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { type Origin, originOf } from "../../../sources/sessions/indexing/lineage.ts";
import { ABANDONED, minute, shownName } from "../../../sources/sessions/labels.ts";
import { EXTRACTED, type SessionRecord } from "../../../sources/sessions/records/files.ts";
import { handoffOf } from "../../../sources/sessions/records/texts.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapMarkdown, wrapOn } from "../../terminal/wrap.ts";
import { chosen, factsOf, namedOrOwn, shortener, syncFirst, toJson, withSessions } from "./with-sessions.ts";

/** The summary of a session, its origin and its descendants. */
export function show(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions show SESSION");
    const record = sessions.record(session);
    const ancestors = sessions.ancestors(session);
    const descendants = sessions.descendants(session);
    const { turns, prompts, compactions } = session.counts;
    const agent = await agentNamer(input);
    const { screen = PLAIN, env, now } = input;
    const paint = paintFor(screen);
    const short = shortener(sessions);
    const dim = (line: string): string => paint("dim", wrapOn(line, screen, { hang: 2 }));
    const line = sessions.resumeLine(session);
    const text = [
      wrapOn(paint("bold", oneLine(shownName(session))), screen),
      dim(`  ${factsOf(session, { now: now(), agent })}`),
      dim(
        `  ${counted(prompts, "prompt")}, ${counted(turns, "turn")}, ${counted(compactions, "compaction")}; id ${oneLine(session.id)}`,
      ),
      dim(`  ${oneLine(shortPath(session.path, env))}`),
      // Not wrapped, because it is copied; it works without Continuo.
      ...(line === undefined ? [] : [paint("dim", `  ${oneLine(line)}`)]),
      ...from(session, ancestors, short),
      ...descendants
        .slice(0, MOST_RELATED)
        .map((one) => `  ${LED_TO[originOf(one)?.how ?? "fork of"]} ${named(one, short)}`),
      ...(descendants.length > MOST_RELATED ? [`  and ${descendants.length - MOST_RELATED} more`] : []),
      "",
      // Without the turn ids: they are in --json.
      summaryText((record?.summary ?? "").replace(/ \[[^[\]\n]+\]$/gm, ""), screen),
      ...(record === undefined
        ? []
        : [
            "",
            ...(record.tags.length === 0 ? [] : [dim(`tags: ${oneLine(record.tags.join(", "))}`)]),
            dim(`summary: ${writer(record, now())}`),
          ]),
      ...nextSteps(
        screen,
        line === undefined ? undefined : [`continuo sessions resume ${short(session.id)}`, "Continue it"],
        [`continuo sessions ask ${short(session.id)} "…"`, "Ask about it"],
      ),
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

function writer({ model, updatedAt }: SessionRecord, now: number): string {
  const by = model === EXTRACTED ? "extracted (no model)" : `by ${oneLine(model)}`;
  return `${by}, ${ago(updatedAt, now)}`;
}

/** Markdown as it is, with its headings in bold. */
function summaryText(summary: string, screen: Screen): string {
  const paint = paintFor(screen);
  return summary
    .split("\n")
    .map((line) =>
      screen.isTerminal && line.startsWith("## ")
        ? paint("bold", line.slice(3))
        : wrapOn(line, screen, { hang: 2 }),
    )
    .join("\n");
}

const MOST_RELATED = 10;
const LED_TO: Record<Origin["how"], string> = {
  "subagent of": "subagent:",
  "fork of": "fork:",
  continues: "continued by",
};

/** All ancestors; one that is not indexed is shown by its id only. */
function from(
  session: PastSession,
  ancestors: readonly PastSession[],
  short: (id: string) => string,
): string[] {
  return [session, ...ancestors].slice(0, MOST_RELATED).flatMap((one, at) => {
    const origin = originOf(one);
    if (origin === undefined) return [];
    const known = ancestors[at];
    const shown = known === undefined ? `${oneLine(origin.id)} (not indexed)` : named(known, short);
    return [`${"  ".repeat(at + 1)}${origin.how} ${shown}`];
  });
}

const named = ({ id, name }: PastSession, short: (id: string) => string): string =>
  `${oneLine(name)} (${short(id)})`;

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
    const shown = wrapMarkdown(text, input.screen ?? PLAIN);
    return { data: { session: toJson(session, sessions), outline, text }, text: shown };
  });
}

/** The reader may have Continuo's tools, a shell, or neither. */
const askOn = ({ id }: PastSession): string =>
  `For anything else call query_session with session "${oneLine(id)}", or run: continuo sessions ask ${commandWord(id)} QUESTION`;

/** The whole session as Markdown, from the index: with secrets redacted, without injected text and tool results. */
export function exportSession(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions export SESSION");
    const record = sessions.record(session);
    const passages = sessions.allPassages(session);
    const text = [
      `# ${oneLine(shownName(session))}`,
      `${session.host}, ${oneLine(session.id)}, ${minute(session.started)} to ${minute(session.modified)} UTC`,
      "",
      oneLine(record?.description ?? ""),
      ...passages.map(({ role, isCalls, text, time, turn, isLeft }, at) => {
        const head = `\n## ${isCalls ? "tools" : role}${time === undefined ? "" : `, ${minute(time)}`} [${oneLine(turn)}]${isLeft ? ABANDONED : ""}\n`;
        // Passages of the same turn are joined.
        return (passages[at - 1]?.turn === turn && !isCalls ? "" : head) + text;
      }),
    ].join("\n");
    const data = { session: toJson(session, sessions), record: record ?? null, passages };
    return { data, text: wrapMarkdown(text, input.screen ?? PLAIN) };
  });
}
