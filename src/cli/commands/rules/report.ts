import { basename, dirname, resolve } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { localTime } from "../../../base/when.ts";
import { knownProject, shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { stem } from "../../../sources/rules/named.ts";
import { latestPlaces } from "../../../sources/rules/report/places.ts";
import { type ReadReport, readReport } from "../../../sources/rules/report/read-report.ts";
import type { ExistingRule, ReportedRule } from "../../../sources/rules/report/report.ts";
import { ruleArgument } from "../../../sources/rules/rule-argument.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer, sessionNamer } from "../../names.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { exactly, textOption, timeOption, wholeOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { counted, footer, table } from "../../terminal/table.ts";
import { wrap, wrapOn } from "../../terminal/wrap.ts";
import { unknownRule } from "./choose-rule.ts";
import { placeLines } from "./report-places.ts";

const DEFAULT_DAYS = 30;
const DEFAULT_ROWS = 20;
const DAY_MS = 24 * 3_600_000;

/** How well rules are followed: per rule what was delivered, checked and broken, the worst first. */
export async function report(input: Input): Promise<Outcome> {
  const wanted = input.positionals[1];
  exactly(input, wanted === undefined ? 1 : 2, "rules report [RULE] [--project DIR|--all] [--since TIME]");
  const { env } = input;
  const now = input.now();
  const home = findHome(env);
  const since = timeOption(input, "since") ?? now - DEFAULT_DAYS * DAY_MS;
  const limit = wholeOption(input, "limit", 1, 10_000) ?? DEFAULT_ROWS;
  const isAll = input.values["all"] === true;
  const project = findProject(resolve(input.cwd, textOption(input, "project") ?? "."));
  const ids = isAll ? undefined : knownProject(project, { home, env }).ids;
  const found = await readReport({
    home,
    env,
    now,
    since,
    ...(ids === undefined ? {} : { project: { ...project, ids } }),
  });
  if (wanted !== undefined) return reportOne(input, found, wanted, { home, since, limit, ids });
  const { rules, neverApplied, alwaysBroken, sessions } = found;
  const where = isAll ? "all projects" : oneLine(shortPath(project.root, env));
  const { screen = PLAIN } = input;
  const iso = (time: number): string => new Date(time).toISOString();
  return {
    data: {
      project: isAll ? null : project.root,
      since: iso(since),
      first: found.first === undefined ? null : iso(found.first),
      sessions,
      rules,
      neverApplied: neverApplied.map(({ key, name, path }) => ({ key, name, path })),
      alwaysBroken: alwaysBroken.map(({ key, name }) => ({ key, name })),
    },
    text:
      rules.length === 0
        ? wrapOn(nothing(where, since), screen)
        : [
            wrapOn(
              `${counted(rules.length, "rule")} in ${counted(sessions, "session")} of ${where} since ${day(found.first ?? since)}`,
              screen,
            ),
            "",
            rows(rules.slice(0, limit), isAll, screen),
            ...(rules.length > limit ? [footer(limit, rules.length)] : []),
            ...remarks(found, isAll).map((line) => wrap(line, { width: screen.width })),
          ].join("\n"),
  };
}

interface Where {
  readonly home: Home;
  readonly since: number;
  readonly limit: number;
  readonly ids: readonly string[] | undefined;
}

/** The figures of one rule, and the latest places at which it was broken. */
async function reportOne(
  input: Input,
  { rules }: ReadReport,
  wanted: string,
  { home, since, limit, ids }: Where,
): Promise<Outcome> {
  const isMeant = ({ name, key, path = "" }: ReportedRule) =>
    [name, key, path].some((one) =>
      [one, stem(one)].some((it) => it === wanted || it.endsWith(`/${wanted}`)),
    );
  const rule = rules.find(isMeant);
  if (rule === undefined)
    throw unknownRule(
      wanted,
      rules.map(({ name }) => name),
    );
  const projects = rule.project === undefined ? undefined : (ids ?? [rule.project]);
  const { places, all } = await latestPlaces({
    ...{ home, since, rule: rule.key, most: limit },
    ...(projects === undefined ? {} : { projects }),
  });
  const nameOf = await sessionNamer(input);
  const agentOf = await agentNamer(input);
  const { screen = PLAIN } = input;
  const view = { screen, now: input.now() };
  const shown = places.map((place) => ({ ...place, at: new Date(place.at).toISOString() }));
  return {
    data: { rule, places: shown.map((one) => ({ ...one, sessionName: nameOf(one) })), all },
    text: [
      rows([rule], ids === undefined, screen),
      "",
      ...(all === 0 ? ["It was not broken."] : placeLines(places, all, nameOf, { ...view, agentOf })),
      ...nextSteps(screen, [
        `continuo rules try ${ruleArgument(rule)}`,
        "What its checks find in all your past sessions",
      ]),
    ].join("\n"),
  };
}

function nothing(where: string, since: number): string {
  return [
    `No rule was delivered or checked in ${where} since ${day(since)}.`,
    "Rules of this project: continuo rules list",
    "Connected agents, which receive them: continuo install",
  ].join("\n");
}

/** The table has 80 columns; what is seldom is on a second line. */
const NAME_WIDTH = 30;

function rows(rules: readonly ReportedRule[], isAll: boolean, screen: Screen): string {
  const paint = paintFor(screen);
  const all = rules.map((rule) => ({ rule, cells: cellsOf(rule, isAll), more: more(rule) }));
  const lines = table(
    ["rule", "sessions", "occasions", "broken", "last 7 days"],
    all.map(({ cells: [name = "", sessions = "", occasions = "", broken = "", ...rest], rule }) => [
      paint("bold", name),
      sessions,
      occasions,
      paint(rule.broken > 0 ? "red" : "green", broken),
      ...rest,
    ]),
    screen,
    { flexible: 0, optional: [4, 1] },
  ).split("\n");
  return lines
    .flatMap((line, at) => [
      line,
      ...(all[at - 1]?.more ?? []).map((more) => wrapOn(paint("dim", more), screen)),
    ])
    .join("\n");
}

function cellsOf(rule: ReportedRule, isAll: boolean): string[] {
  const isChecked = rule.occasions + rule.broken > 0;
  return [
    clipWithin(nameOf(rule, isAll), NAME_WIDTH),
    String(rule.sessions),
    isChecked ? String(Math.max(rule.occasions, rule.broken)) : "-",
    isChecked ? `${rule.broken} ${percent(rule.share)}`.trim() : "-",
    rule.lastWeek === undefined && rule.weekBefore === undefined
      ? "-"
      : `${percent(rule.lastWeek) || "none"}, before ${percent(rule.weekBefore) || "none"}`,
  ];
}

const percent = (share: number | undefined): string =>
  share === undefined ? "" : `${Math.round(100 * share)}%`;

function more(rule: ReportedRule): string[] {
  const parts = [
    ...(rule.breaches > rule.broken ? [counted(rule.breaches, "place")] : []),
    ...(rule.afterCompaction > 0 ? [`${rule.afterCompaction} after a compaction`] : []),
    ...(rule.afterReminder > 0 ? [`${rule.afterReminder} after a reminder of this rule`] : []),
    ...(rule.refused > 0 ? [`${rule.refused} refused`] : []),
    ...(rule.asked > 0 ? [`${rule.asked} asked`] : []),
    ...(rule.noResult > 0 ? [`${counted(rule.noResult, "run")} without a result`] : []),
    ...(rule.exists === false ? ["this rule no longer exists"] : []),
  ];
  return parts.length === 0 ? [] : [`    ${parts.join(", ")}`];
}

function remarks(
  { rules, neverApplied, alwaysBroken, sessions, left }: ReadReport,
  isAll: boolean,
): string[] {
  const [worst] = alwaysBroken.length > 0 ? alwaysBroken : rules.filter(({ broken }) => broken > 0);
  const isChecked = rules.some(({ occasions, broken }) => occasions + broken > 0);
  return [
    "",
    isChecked
      ? "Occasions: how often a check had something to look at. Last 7 days: share of them at which the rule was broken, and the share of the 7 days before."
      : "No rule has been checked yet. How a rule checks itself: continuo help rules",
    ...(alwaysBroken.length === 0
      ? []
      : [
          "",
          `Broken every time: ${names(alwaysBroken, isAll)}`,
          `  A bad rule, or a bad check: continuo rules report ${shown(alwaysBroken[0])}`,
        ]),
    ...(neverApplied.length === 0
      ? []
      : [
          "",
          `Never applied in ${counted(sessions, "session")}: ${names(neverApplied, isAll)}`,
          `  What it waits for: continuo rules why ${shown(neverApplied[0])}`,
        ]),
    ...(left === 0 ? [] : ["", `${counted(left, "more rule")} not counted: there are too many.`]),
    ...(worst === undefined || alwaysBroken.length > 0
      ? []
      : ["", `What breaks it: continuo rules report ${shown(worst)}`]),
  ];
}

const MOST_NAMES = 10;

function names(rules: readonly (ReportedRule | ExistingRule)[], isAll: boolean): string {
  const some = rules.slice(0, MOST_NAMES).map((rule) => nameOf(rule, isAll));
  return [...some, ...(rules.length > MOST_NAMES ? [`and ${rules.length - MOST_NAMES} more`] : [])].join(
    ", ",
  );
}

function nameOf({ name, project }: Pick<ReportedRule, "name" | "project">, isAll: boolean): string {
  const label = project === undefined ? "your own" : basename(project === "" ? "" : folderOf(project));
  return oneLine(isAll ? `${name} (${label})` : name);
}

const folderOf = (project: string): string => (basename(project) === ".git" ? dirname(project) : project);

function shown(rule: Pick<ReportedRule, "name" | "key"> | undefined): string {
  return rule === undefined ? "RULE" : ruleArgument(rule);
}

const day = (time: number): string => localTime(time).slice(0, 10);
