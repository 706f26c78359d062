import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { ago, count } from "../../../base/when.ts";
import { fields, optional } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { type Block, exact, type Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { type Origin, originOf } from "../indexing/lineage.ts";
import { ABANDONED, minute, shownName } from "../labels.ts";
import { EXTRACTED, type SessionRecord } from "../records/files.ts";
import { handoffOf } from "../records/texts.ts";
import type { PastSession } from "../session.ts";
import { chosen, namedOrOwn } from "./choose.ts";
import { HOST, SESSION } from "./fields.ts";
import { withFresh } from "./fresh.ts";
import { factsOf, listed, type Names, namesFor, toJson } from "./shown.ts";

/** The summary of a session, its origin and its descendants. */
export const show = action({
  name: "sessions show",
  about: "show a session's goal, decisions, outcome and files",
  examples: [["continuo sessions show last", "show the newest session of this project"]],
  effect: "reads",
  input: fields({ session: SESSION, host: HOST }),
  run: (wanted, place) =>
    withFresh(place, async (library) => {
      const session = chosen(place, library, wanted);
      return {
        session: listed(session, library),
        record: library.record(session) ?? null,
        ancestors: library.ancestors(session).map((one) => listed(one, library)),
        descendants: library.descendants(session).map((one) => listed(one, library)),
        names: await namesFor(place, library),
      };
    }),
  json: ({ session, record, ancestors, descendants }) => ({
    session: toJson(session),
    record,
    ancestors: ancestors.map(toJson),
    descendants: descendants.map(toJson),
  }),
  view({ session, record, ancestors, descendants, names }, shown) {
    const { turns, prompts, compactions } = session.counts;
    const { paint, now, env } = shown;
    // Colours begin after the indentation of a wrapped line.
    const dim = (line: string): Block => ({
      text: line.replace(/\S.*/s, (rest) => paint("dim", rest)),
      hang: 2,
    });
    const { resume } = session;
    const short = names.short(session.id);
    return [
      paint("bold", oneLine(shownName(session))),
      dim(`  ${factsOf(session, names.agent, now)}`),
      dim(
        `  ${count(prompts, "prompt")}, ${count(turns, "turn")}, ${count(compactions, "compaction")}; id ${oneLine(session.id)}`,
      ),
      dim(`  ${oneLine(shortPath(session.path, env))}`),
      // Not wrapped, because users copy it; it works without Continuo.
      ...(resume === null ? [] : [exact(paint("dim", `  ${oneLine(resume)}`))]),
      ...originLines(session, ancestors, names).map(exact),
      ...descendants
        .slice(0, MOST_RELATED)
        .map((one) => exact(`  ${LED_TO[originOf(one)?.how ?? "fork of"]} ${named(one, names)}`)),
      ...(descendants.length > MOST_RELATED ? [`  and ${descendants.length - MOST_RELATED} more`] : []),
      "",
      // Without the turn ids, which are in --json.
      ...summaryBlocks((record?.summary ?? "").replace(/ \[[^[\]\n]+\]$/gm, ""), shown),
      ...(record === null
        ? []
        : [
            "",
            ...(record.tags.length === 0 ? [] : [dim(`tags: ${oneLine(record.tags.join(", "))}`)]),
            dim(`summary: ${writer(record, now)}`),
          ]),
      {
        next: [
          ...(resume === null ? [] : [[`continuo sessions resume ${short}`, "Continue it"] as const]),
          [`continuo sessions ask ${short} "…"`, "Ask about it"],
        ],
      },
    ];
  },
});

function writer({ model, updatedAt }: SessionRecord, now: number): string {
  const by = model === EXTRACTED ? "extracted (no model)" : `by ${oneLine(model)}`;
  return `${by}, ${ago(updatedAt, now)}`;
}

/** Markdown unchanged when piped; for users, its headings are bold. */
function summaryBlocks(summary: string, { isPiped, paint }: Shown): Block[] {
  return summary
    .split("\n")
    .map((line) =>
      !isPiped && line.startsWith("## ") ? exact(paint("bold", line.slice(3))) : { text: line, hang: 2 },
    );
}

const MOST_RELATED = 10;
const LED_TO: Record<Origin["how"], string> = {
  "subagent of": "subagent:",
  "fork of": "fork:",
  continues: "continued by",
};

/** All ancestors; one that is not indexed is shown only by its id. */
function originLines(session: PastSession, ancestors: readonly PastSession[], names: Names): string[] {
  return [session, ...ancestors].slice(0, MOST_RELATED).flatMap((one, at) => {
    const origin = originOf(one);
    if (origin === undefined) return [];
    const known = ancestors[at];
    const shown = known === undefined ? `${oneLine(origin.id)} (not indexed)` : named(known, names);
    return [`${"  ".repeat(at + 1)}${origin.how} ${shown}`];
  });
}

const named = ({ id, name }: PastSession, { short }: Names): string => `${oneLine(name)} (${short(id)})`;

export const handoff = action({
  name: "sessions handoff",
  about: "print a summary for a new session in any agent",
  guide: "Without SESSION, it is the session that runs this command, or the newest one of this project.",
  examples: [["continuo sessions handoff last", "print what another agent needs to continue"]],
  effect: "reads",
  input: fields({ session: optional(SESSION), host: HOST }),
  run: (wanted, place) =>
    withFresh(place, (library) => {
      const session = chosen(place, library, namedOrOwn(wanted, place));
      const outline = library.outline(session);
      if (outline === undefined)
        throw new ContinuoError("nothing-said", "this session is empty", {
          hint: "choose a session with at least one prompt",
        });
      const text = `${handoffOf(session, outline, library.record(session))}\n\n${askOn(session)}`;
      return { session: toJson(listed(session, library)), outline, text };
    }),
  view: ({ text }) => [{ text, isMarkdown: true }],
});

/** Suggests several ways, because the reader may have Continuo's tools, a shell, or neither. */
const askOn = ({ id }: PastSession): string =>
  `For anything else call query_session with session "${oneLine(id)}", or run: continuo sessions ask ${commandWord(id)} QUESTION`;

/** From the index: with secrets redacted, without injected text and tool results. */
export const exportSession = action({
  name: "sessions export",
  about: "print a whole session as Markdown",
  examples: [["continuo sessions export last > session.md", "save the newest session as a file"]],
  effect: "reads",
  input: fields({ session: SESSION, host: HOST }),
  run: (wanted, place) =>
    withFresh(place, (library) => {
      const session = chosen(place, library, wanted);
      const record = library.record(session) ?? null;
      return { session: toJson(listed(session, library)), record, passages: library.allPassages(session) };
    }),
  view({ session, record, passages }) {
    const text = [
      `# ${oneLine(shownName(session))}`,
      `${session.host}, ${oneLine(session.id)}, ${minute(Date.parse(session.started))} to ${minute(Date.parse(session.modified))} UTC`,
      "",
      oneLine(record?.description ?? ""),
      ...passages.map(({ role, isCalls, text: said, time, turn, isLeft }, at) => {
        const head = `\n## ${isCalls ? "tools" : role}${time === undefined ? "" : `, ${minute(time)}`} [${oneLine(turn)}]${isLeft ? ABANDONED : ""}\n`;
        // Passages of the same turn are joined.
        return (passages[at - 1]?.turn === turn && !isCalls ? "" : head) + said;
      }),
    ].join("\n");
    return [{ text, isMarkdown: true }];
  },
});
