import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { originOf } from "../../../sources/sessions/indexing/lineage.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import type { SessionFilter, Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { exactly, wholeOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { footer, table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { filterOf, noSessions, shortener, syncFirst, toJson, withSessions } from "./with-sessions.ts";

export function list(input: Input): Promise<Outcome> {
  if (input.positionals.length > 0) exactly(input, 1, "sessions list");
  const limit = wholeOption(input, "limit", 1, 100_000) ?? 20;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const all = sessions.list({ ...filter, spoken: true });
    const shown = all.slice(0, limit);
    const agent = await agentNamer(input);
    const lines = [
      shown.length === 0
        ? await noneFound(input, sessions, filter)
        : tableOf(sessions, shown, { ...input, agent }),
      ...(all.length > shown.length ? ["", footer(shown.length, all.length)] : []),
      ...(shown.length === 0 ? [] : stepsFor(input, sessions, shown[0])),
    ];
    return { data: { sessions: shown.map((one) => toJson(one, sessions)) }, text: lines.join("\n") };
  });
}

function stepsFor(input: Input, sessions: Sessions, first: PastSession | undefined): string[] {
  if (first === undefined) return [];
  const id = shortener(sessions)(first.id);
  return nextSteps(
    input.screen ?? PLAIN,
    [`continuo sessions show ${id}`, "Show one"],
    [`continuo sessions resume ${id}`, "Resume one"],
  );
}

async function noneFound(input: Input, sessions: Sessions, filter: SessionFilter): Promise<string> {
  if (sessions.size().sessions === 0) return noSessions(input);
  return wrapOn(
    ["No sessions found.", ...explainNoMatch(sessions, filter)].join("\n"),
    input.screen ?? PLAIN,
  );
}

interface Namer {
  readonly agent: (host: string) => string;
}

/** In the order of the columns; on a narrow screen the first are left out first. */
const OPTIONAL = { prompts: 3, agent: 1, project: 2 };

function tableOf(sessions: Sessions, found: readonly PastSession[], input: Input & Namer): string {
  const { values, screen = PLAIN } = input;
  const short = shortener(sessions);
  const branches = values["tree"] === true ? treeOf(found) : found.map((session) => ({ session, depth: 0 }));
  return table(
    ["last active", "agent", "project", "prompts", "id", "name"],
    branches.map((branch) => rowOf(branch, short, input)),
    screen,
    { flexible: 5, optional: [OPTIONAL.prompts, OPTIONAL.agent, OPTIONAL.project] },
  );
}

function rowOf({ session, depth }: Branch, short: (id: string) => string, input: Input & Namer): string[] {
  const { screen = PLAIN, now, agent } = input;
  const paint = paintFor(screen);
  const from = originOf(session);
  const origin = from === undefined ? "" : paint("dim", ` (${from.how} ${short(from.id)})`);
  const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${screen.hasUnicode ? "└" : "`"} `;
  return [
    ago(session.modified, now()),
    agent(session.host),
    oneLine(session.label ?? ""),
    String(session.counts.prompts),
    paint("dim", short(session.id)),
    branch + oneLine(shownName(session)) + origin,
  ];
}

export interface Branch {
  readonly session: PastSession;
  /** 0 for a session without an origin in the list. */
  readonly depth: number;
}

/** Each session followed by its descendants; otherwise in the order of the list. */
export function treeOf(sessions: readonly PastSession[]): Branch[] {
  const keyOf = (host: string, id: string): string => `${host}/${id}`;
  const listed = new Set(sessions.map(({ host, id }) => keyOf(host, id)));
  const below = new Map<string, PastSession[]>();
  const roots: PastSession[] = [];
  for (const session of sessions) {
    const from = originOf(session);
    const key = from === undefined ? "" : keyOf(session.host, from.id);
    if (!listed.has(key)) roots.push(session);
    else below.set(key, [...(below.get(key) ?? []), session]);
  }
  const tree: Branch[] = [];
  const done = new Set<PastSession>();
  const grow = (session: PastSession, depth: number): void => {
    if (done.has(session)) return;
    done.add(session);
    tree.push({ session, depth });
    for (const one of below.get(keyOf(session.host, session.id)) ?? []) grow(one, depth + 1);
  };
  for (const root of roots) grow(root, 0);
  // Transcripts that name each other as their origin have no root.
  for (const session of sessions) grow(session, 0);
  return tree;
}
