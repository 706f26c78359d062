import { ContinuoError } from "../../../base/errors.ts";
import { quote } from "../../../compose/escape.ts";
import { plainLine } from "../../../moments/state/session-name.ts";
import type { Sessions } from "../library.ts";
import type { PastSession, SessionKey } from "../session.ts";
import { byModel, type SessionRecord } from "./files.ts";
import type { Outline } from "./outline.ts";
import type { Line } from "./sentences.ts";

const MOST_OF_A_SUMMARY = 8000;
const MOST_OF_A_DESCRIPTION = 1200;

/** The summary of a record; empty sections are omitted. */
export function summaryOf(outline: Outline): string {
  return sections(
    [
      ["Goal", outline.goal],
      ["Key decisions", outline.decisions],
      ["Outcome", outline.outcome],
      ["Next steps", outline.next],
      ["Files", outline.files],
      ["Commands", outline.commands],
    ],
    ({ text, turn }) => `- ${text} [${plainLine(turn)}]`,
  ).slice(0, MOST_OF_A_SUMMARY);
}

/**
 * The state of a session, for a new session in any host. Turn ids are omitted because the reader cannot look them up. A
 * model's summary replaces what it covers better; hurdles, files and commands are quoted from the session.
 */
export function handoffOf(session: PastSession, outline: Outline, record: SessionRecord | undefined): string {
  const about = [session.host, session.label, session.branch]
    .filter((one) => one !== undefined)
    .map(plainLine)
    .join(", ");
  const written = byModel(record);
  const quoted: readonly Part[] = [
    ["Hurdles", outline.hurdles],
    ["Files", outline.files],
    ["Commands that mattered", outline.commands],
  ];
  const whole: readonly Part[] = [
    ["Goal", outline.goal],
    ["State", outline.outcome],
    ["Decisions", outline.decisions],
    ...quoted,
    ["Next steps", outline.next],
  ];
  return [
    `# Handoff: ${plainLine(session.name)}`,
    `From session ${plainLine(session.id)} (${about}, last active ${new Date(session.modified).toISOString()}).`,
    ...(written === undefined
      ? [`What follows is quoted from ${outline.isPart ? "its beginning and its end" : "it"}.`]
      : [
          `Written by ${plainLine(written.model)}, ${plainLine(written.updatedAt)}.`,
          "",
          written.summary,
          "",
          "Quoted from the session:",
        ]),
    "",
    sections(written === undefined ? whole : quoted, ({ text }) => `- ${text}`),
  ].join("\n");
}

type Part = readonly [title: string, lines: readonly Line[]];

function sections(all: readonly Part[], shown: (line: Line) => string): string {
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `## ${title}\n${lines.map(shown).join("\n")}`)
    .join("\n\n");
}

export function descriptionOf(session: PastSession, { goal, outcome }: Outline): string {
  const { prompts, turns } = session.counts;
  const where = session.label === undefined ? "" : ` in ${plainLine(session.label)}`;
  const branch = session.branch === undefined ? "" : ` on ${plainLine(session.branch)}`;
  return [
    sentence(goal[0]?.text ?? "Nothing was asked."),
    ...(outcome[0] === undefined ? [] : [sentence(`Ended with: ${outcome[0].text}`)]),
    `${times(prompts, "prompt")}, ${times(turns, "turn")}${where}${branch}, ${new Date(session.started).toISOString().slice(0, 10)}.`,
  ]
    .join(" ")
    .slice(0, MOST_OF_A_DESCRIPTION)
    .toWellFormed();
}

const times = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const sentence = (text: string): string => (/[.!?…:]["')\]]?$/.test(text) ? text : `${text}.`);

/** What a new session in any host needs to continue this one, and how to ask for more. */
export function handoff(
  library: Sessions,
  key: SessionKey,
  outline: Outline | undefined = library.outline(key),
): string {
  const session = library.get(key);
  if (session === undefined || outline === undefined)
    throw new ContinuoError("session-not-found", `session ${key.id} is not indexed or has no text`, {
      hint: "a session without text has nothing to hand over",
    });
  return `${quote(handoffOf(session, outline, library.record(key)))}\n\nFor anything else call query_session with session "${session.id}".`;
}
