import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { count, localTime } from "../../../base/when.ts";
import type { History } from "../../../moments/ports/history.ts";
import { knownProject } from "../../../moments/project/known-project.ts";
import { homeAt } from "../../../store/home.ts";
import { redact } from "../../../store/redact.ts";
import { isForgotten } from "../../../store/tombstones.ts";
import { parseRule } from "../parsing/parse.ts";
import type { TriedSession } from "../try/past-sessions.ts";
import { tryChecks } from "../try/try-checks.ts";
import { applyEdit } from "./edit-frontmatter.ts";
import type { Draft } from "./records.ts";
import { editFor, newRuleText, readRuleText } from "./rule-file.ts";

const DAYS = 90;
const DAY_MS = 24 * 3_600_000;
/** The user is waiting. */
const LIMIT_MS = 3_000;
const SHOWN = 3;

export interface Tried {
  /** A sentence, then some of the places. */
  readonly lines: readonly string[];
  /** Whether not everything was read in time. */
  readonly isCut: boolean;
}

interface TryPlace {
  readonly history: History;
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
  /** Continuo's home. */
  readonly home: string;
}

/**
 * What the draft would have reported in the sessions of the last 90 days. Undefined if it cannot be parsed as a check.
 */
export async function tryDraft(
  draft: Draft,
  { history, env, now, home }: TryPlace,
): Promise<Tried | undefined> {
  const place = homeAt(home);
  const text = await ruleText(draft);
  const name = draft.from.kind === "rule" ? draft.from.key : "new.md";
  const dialect = draft.from.kind === "rule" ? draft.from.dialect : "continuo";
  const parsed = text === undefined ? undefined : await parseRule(text, { name, dialect });
  const check = parsed?.kind === "rule" ? parsed.rule.checks.at(-1) : undefined;
  if (check === undefined) return undefined;
  const { told, found, isCut, sessions, ofSessions } = await tryChecks(
    [{ key: name, name, checks: [check] }],
    {
      history,
      env,
      since: now - DAYS * DAY_MS,
      most: SHOWN,
      limitMs: LIMIT_MS,
      ...(isOfProject(draft) ? { projects: knownProject(draft.project, { home: place, env }).ids } : {}),
      isForgotten: ({ host, id, parent }) =>
        isForgotten(place, { host, id }) ||
        (parent !== undefined && isForgotten(place, { host, id: parent })),
    },
  );
  const read = isCut
    ? `So far (${sessions} of ${count(ofSessions, "session")} of the last ${DAYS} days)`
    : `In the last ${DAYS} days`;
  const spoken =
    told === 0
      ? "it would have found nothing."
      : `it would have matched ${told === 1 ? "once" : count(told, "time")}:`;
  const places = found.map(({ path, line, text, transcript, at = transcript.file.modified }) => {
    const where = path === undefined ? "" : `${path}${line === undefined ? "" : `:${line}`} `;
    // If something is missing, such as a command that did not run, show the session.
    const what = text === "" ? `${localTime(at)} ${sessionOf(transcript)}` : text;
    return clip(oneLine(`${where}${what}`), 100);
  });
  const more = told > places.length && places.length > 0 ? ["…"] : [];
  return {
    lines: [`${read} ${spoken}`, ...places, ...more],
    isCut,
  };
}

function sessionOf({ reader, file }: TriedSession): string {
  const title = reader.headerOf(file).title?.text;
  return title === undefined ? `${file.host} session ${file.id}` : `"${redact(title)}"`;
}

function isOfProject({ from }: Draft): boolean {
  return from.scope === "project";
}

/** The rule with the check, as it would be once accepted. */
async function ruleText({ from, check, sentence, project }: Draft): Promise<string | undefined> {
  if (from.kind === "said") return newRuleText(check, sentence);
  const text = readRuleText(from.path, from.scope === "project" ? project.root : undefined);
  const edit =
    text === undefined ? undefined : await editFor(text, check, { name: from.key, dialect: from.dialect });
  if (text === undefined || edit === undefined || edit === "there" || "code" in edit)
    return newRuleText(check, sentence);
  return applyEdit(text, edit);
}
