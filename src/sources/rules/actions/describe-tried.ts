import { oneLine, shortId } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { count, localTime } from "../../../base/when.ts";
import type { Others } from "../../../moments/ports/action.ts";
import type { Block, Shown, TableBlock } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { refOf } from "../checks/check-set.ts";
import { describeCheck } from "../checks/describe.ts";
import type { TriedBreach, TryResult } from "../try/result.ts";
import type { TriedRule } from "./tried-rules.ts";

/** The request. */
export interface Tried {
  readonly rules: readonly TriedRule[];
  readonly since: number;
  readonly ms: number;
  /** The folder of the project, if only one project's sessions were read. */
  readonly project?: string | undefined;
}

export function triedToJson(result: TryResult, { rules, since, ms, project }: Tried, nameOf: NameOf) {
  return {
    ...result,
    rules: rules.map(({ key, name, path, lints }) => ({ key, name, path, lints })),
    project: project ?? null,
    since: new Date(since).toISOString(),
    ms,
    found: result.found.map(({ transcript, at, ...breach }) => ({
      ...breach,
      sessionName: nameOf({ transcript }),
      transcript: transcript.file.path,
      at: at === undefined ? null : isoTime(at),
    })),
  };
}

type NameOf = (one: Pick<TriedBreach, "transcript">) => string;

export interface TriedView {
  readonly result: TryResult;
  readonly tried: Tried;
  readonly agents: ReadonlyMap<string, string>;
  readonly nameOf: NameOf;
}

export function describeTried({ result, tried, agents, nameOf }: TriedView, { env, paint }: Shown): Block[] {
  const { found, occasions, broken, told } = result;
  const { rules, since, project } = tried;
  const names = rules.map(({ name }) => oneLine(name)).join(", ");
  const where = project === undefined ? "all projects" : oneLine(shortPath(project, env));
  const lines: string[] = [];
  if (occasions + broken === 0)
    lines.push(
      `${paint("bold", names)}: no occasion in ${count(result.sessions, "session")} of ${where} since ${day(since)}.`,
    );
  else
    lines.push(
      `${paint("bold", names)}: ${paint(broken > 0 ? "red" : "green", `broken at ${broken} of ${count(occasions, "occasion")} (${share(broken, occasions)})`)}, ${count(told, "place")},`,
      `in ${result.sessionsBroken} of ${count(result.sessions, "session")} of ${where} since ${day(since)}`,
    );
  if (found.length > 0) lines.push("", ...places({ result, tried, agents, nameOf }, paint));
  if (result.told > found.length) lines.push("", `Showing ${found.length} of ${result.told}. Use --limit.`);
  const tables = occasions > 0 ? ["", byCheck(result, rules), "", byWeek(result)] : [];
  const rest = ["", ...readings(result, tried), ...remarks(rules)];
  if (occasions + broken === 0) rest.push(...advice(result, tried));
  const hung = (some: readonly string[]) => some.map((text): Block => ({ text, hang: 2 }));
  return [...hung(lines), ...tables, ...hung(rest)];
}

const NAME_WIDTH = 50;

/** The places, grouped by session. */
function places({ result: { found }, tried, agents, nameOf }: TriedView, paint: Shown["paint"]): string[] {
  let session = "";
  return found.flatMap((one) => {
    const key = `${one.host}\n${one.session}\n${one.transcript.file.path}`;
    const isNew = key !== session;
    session = key;
    const { at = one.transcript.file.modified } = one;
    const name = clipWithin(oneLine(nameOf(one)), NAME_WIDTH) || "unnamed session";
    const about = `(${agents.get(one.host) ?? one.host}, ${day(at)}, ${shortId(one.session, found)})`;
    return [
      ...(isNew ? [`${paint("bold", name)}  ${paint("dim", about)}`] : []),
      `  ${placeOf(one, tried.rules)}`,
    ];
  });
}

function placeOf(
  { path, line, text, more, rule, check, message }: TriedBreach,
  rules: readonly TriedRule[],
): string {
  const where = path === undefined ? "" : `${oneLine(path)}${line === undefined ? "" : `:${line}`}  `;
  const broken = rules.find(({ key }) => key === rule)?.checks.find(({ id }) => id === check);
  const what = text || message || (broken === undefined ? "" : describeCheck(broken));
  return `${where}${oneLine(what)}${more === undefined ? "" : ` (and ${count(more, "more place")})`}`;
}

function byCheck({ checks }: TryResult, rules: readonly TriedRule[]): TableBlock {
  const all = new Map(
    rules.flatMap(({ key, checks }) => checks.map((check) => [refOf(key, check.id), check])),
  );
  return {
    columns: ["broken", "occasions", "check"],
    rows: checks.map(({ rule, check, broken, occasions }) => {
      const described = all.get(refOf(rule, check));
      return [
        String(broken),
        String(occasions),
        described === undefined ? check : oneLine(describeCheck(described)),
      ];
    }),
    fit: { wraps: [2] },
  };
}

const BAR = 20;

function byWeek({ weeks }: TryResult): TableBlock {
  const most = Math.max(1, ...weeks.map(({ broken }) => broken));
  return {
    columns: ["week from", "broken", "occasions", ""],
    rows: weeks.map(({ from, broken, occasions }) => [
      from,
      String(broken),
      String(occasions),
      "#".repeat(Math.ceil((BAR * broken) / most)),
    ]),
    fit: { optional: [3] },
  };
}

function readings(result: TryResult, { ms }: Tried): string[] {
  const { sessions, ofSessions, bytes, calls, failedCalls, unreadable, skippedLines, unchecked, isCut } =
    result;
  return [
    `Read ${isCut ? `${sessions} of ${count(ofSessions, "session")}` : count(sessions, "session")} (${size(bytes)}) in ${(ms / 1000).toFixed(1)} s.${isCut ? " Stopped early." : ""}`,
    ...(calls === 0
      ? []
      : [
          failedCalls === 0
            ? `Tool calls: ${calls}.`
            : `Tool calls: ${calls}. ${count(failedCalls, "refused or failed call is", "refused or failed calls are")} left out.`,
          ...(failedCalls === 0 ? [] : ["What was refused: continuo rules report RULE"]),
        ]),
    ...(unchecked === 0 ? [] : [`${count(unchecked, "occasion")} too long to be searched.`]),
    ...(skippedLines === 0 ? [] : [`${count(skippedLines, "line")} damaged or too long to be read.`]),
    ...(unreadable.length === 0
      ? []
      : [`Could not read ${count(unreadable.length, "history or session", "histories or sessions")}:`]),
    ...unreadable
      .slice(0, MOST_NAMED)
      .map(
        ({ host, path, why }) =>
          `  ${oneLine([host, path, why].filter((one) => one !== undefined).join("  "))}`,
      ),
    ...(unreadable.length > MOST_NAMED ? [`  and ${unreadable.length - MOST_NAMED} more`] : []),
  ];
}

const MOST_NAMED = 10;

/** Checks that were left out or not tried, so that silence is not mistaken for success. */
function remarks(rules: readonly TriedRule[]): string[] {
  const runs = rules.flatMap(({ checks }) => checks.filter(({ on }) => on === "run"));
  return [
    ...(runs.length === 0 ? [] : [`Not tried: ${count(runs.length, "check")} of the kind run.`]),
    ...rules.flatMap(({ name, lints }) =>
      lints.map(({ message }) => `Warning: ${oneLine(`${name}: ${message}`)}`),
    ),
  ];
}

function advice({ ofSessions }: TryResult, { project }: Tried): string[] {
  if (project !== undefined)
    return [
      ofSessions === 0
        ? "No session of this project was found. All projects: --all"
        : "More sessions: --all, or a longer time: --since 365d",
    ];
  return ["A longer time: --since 365d"];
}

/** Session names from the transcripts, each read once. */
export function transcriptNames(others: Pick<Others, "transcriptName"> | undefined): NameOf {
  const names = new Map<string, string>();
  return ({ transcript: { reader, file } }) => {
    const key = `${file.path}\n${file.key ?? ""}`;
    const name = names.get(key) ?? others?.transcriptName(reader, file) ?? "";
    names.set(key, name);
    return name;
  };
}

const share = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))}%`;
const day = (time: number): string => localTime(time).slice(0, 10);

function isoTime(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1000)} KB`;
}
