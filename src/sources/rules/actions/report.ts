import { basename, dirname, resolve } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { withoutRuleExtension } from "../../../base/slug.ts";
import { clipWithin } from "../../../base/text.ts";
import { count, localTime } from "../../../base/when.ts";
import { fields, flag, optional, PROJECT, text, time, whole } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import type { Block, Shown, TableBlock } from "../../../moments/ports/view.ts";
import { knownProject, shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { timeOf } from "../../../search/timespan.ts";
import type { BrokenPlace } from "../report/places.ts";
import type { ReadReport } from "../report/read-report.ts";
import type { ExistingRule, ReportedRule } from "../report/report.ts";
import { ruleArgument } from "../rule-argument.ts";
import { unknownRule } from "./choose-rule.ts";
import { placeLines } from "./report-places.ts";

const DEFAULT_DAYS = 30;
const DEFAULT_ROWS = 20;
const DAY_MS = 24 * 3_600_000;

/** Used by `rules report` and `rules try`. */
export const ALL = optional(flag("include all projects"));
export const SINCE_HELP = "only what happened since then: a day such as 2026-11-01 or yesterday, or 7d";
export const LIMIT = optional(
  whole("show at most this many", 1, 10_000, { value: "N", fallback: String(DEFAULT_ROWS) }),
);

/** How well rules are followed: for each rule what was delivered, checked and broken, worst first. */
export const report = action({
  name: "rules report",
  about: "show which rules are followed and which are broken",
  guide: "Counts what the checks of rules found in your sessions. With RULE: where and when it was broken.",
  effect: "reads",
  input: fields({
    rule: optional(text("a rule by its name or its file", { typed: "word" })),
    project: PROJECT,
    all: ALL,
    since: optional(time(SINCE_HELP, { value: "TIME", fallback: "30d" })),
    limit: LIMIT,
  }),
  examples: [
    ["continuo rules report --since 7d", "report on the last week"],
    ["continuo rules report no-any", "show where one rule was broken"],
  ],
  async run({ rule: wanted, project: folder, all = false, since: from, limit = DEFAULT_ROWS }, place) {
    const { env, home } = place;
    const now = place.now();
    const since = (from === undefined ? undefined : timeOf(from, now)) ?? now - DEFAULT_DAYS * DAY_MS;
    const project = findProject(resolve(place.cwd, folder ?? "."));
    const ids = all ? undefined : knownProject(project, { home, env }).ids;
    // Imported here, because most commands about rules do not read the ledger.
    const [{ readReport }, { latestPlaces }] = await Promise.all([
      import("../report/read-report.ts"),
      import("../report/places.ts"),
    ]);
    const found = await readReport({ home, env, now, since, project: ids && { ...project, ids } });
    const root = all ? undefined : project.root;
    if (wanted === undefined) return { found, since, limit, root };
    const rule = found.rules.find((one) => isMeant(one, wanted));
    if (rule === undefined)
      throw unknownRule(
        wanted,
        found.rules.map(({ name }) => name),
      );
    const projects = rule.project === undefined ? undefined : (ids ?? [rule.project]);
    const broken = await latestPlaces({ home, since, rule: rule.key, most: limit, projects });
    const others = await place.others?.();
    const places = broken.places.map((one) => ({
      ...one,
      sessionName: others?.sessionName(one) ?? "",
      agentName: others?.agentName(one.host) ?? one.host,
    }));
    return { found, since, limit, root, one: { rule, places, all: broken.all } };
  },
  json({ found, since, root, one }) {
    if (one !== undefined)
      return {
        rule: one.rule,
        places: one.places.map(({ agentName: _, ...place }) => ({ ...place, at: iso(place.at) })),
        all: one.all,
      };
    const { rules, neverApplied, alwaysBroken, sessions } = found;
    return {
      project: root ?? null,
      since: iso(since),
      first: found.first === undefined ? null : iso(found.first),
      sessions,
      rules,
      neverApplied: neverApplied.map(({ key, name, path }) => ({ key, name, path })),
      alwaysBroken: alwaysBroken.map(({ key, name }) => ({ key, name })),
    };
  },
  view({ found, since, limit, root, one }, shown) {
    const isAll = root === undefined;
    if (one !== undefined)
      return [
        table([one.rule], isAll, shown),
        "",
        ...(one.all === 0 ? ["It was not broken."] : placeLines(one.places, one.all, shown)),
        {
          next: [
            [
              `continuo rules try ${ruleArgument(one.rule)}`,
              "What its checks find in all your past sessions",
            ],
          ],
        },
      ];
    const { rules, sessions } = found;
    const where = isAll ? "all projects" : oneLine(shortPath(root, shown.env));
    if (rules.length === 0) return [nothing(where, since)];
    return [
      `${count(rules.length, "rule")} in ${count(sessions, "session")} of ${where} since ${day(found.first ?? since)}`,
      "",
      table(rules.slice(0, limit), isAll, shown),
      ...(rules.length > limit ? [`Showing ${limit} of ${rules.length}. Use --limit.`] : []),
      ...remarks(found, isAll).map((text): Block => ({ text, hang: 2, isNarrow: true })),
    ];
  },
});

export type NamedPlace = BrokenPlace & { readonly sessionName: string; readonly agentName: string };

function isMeant({ name, key, path = "" }: ReportedRule, wanted: string): boolean {
  return [name, key, path].some((one) =>
    [one, withoutRuleExtension(one)].some((it) => it === wanted || it.endsWith(`/${wanted}`)),
  );
}

const iso = (at: number): string => new Date(at).toISOString();

function nothing(where: string, since: number): string {
  return [
    `No rule was delivered or checked in ${where} since ${day(since)}.`,
    "Rules of this project: continuo rules list",
    "Connected agents, which receive them: continuo install",
  ].join("\n");
}

/** The table has 80 columns; rarely needed values are on a second line. */
const NAME_WIDTH = 30;

function table(rules: readonly ReportedRule[], isAll: boolean, { paint }: Shown): TableBlock {
  return {
    columns: ["rule", "sessions", "occasions", "broken", "last 7 days"],
    rows: rules.map((rule) => {
      const [name = "", sessions = "", occasions = "", broken = "", ...rest] = cellsOf(rule, isAll);
      return [
        paint("bold", name),
        sessions,
        occasions,
        paint(rule.broken > 0 ? "red" : "green", broken),
        ...rest,
      ];
    }),
    below: rules.map((rule) => more(rule).map((line) => paint("dim", line))),
    fit: { flexible: 0, optional: [4, 1] },
  };
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
    ...(rule.breaches > rule.broken ? [count(rule.breaches, "place")] : []),
    ...(rule.afterCompaction > 0 ? [`${rule.afterCompaction} after a compaction`] : []),
    ...(rule.afterReminder > 0 ? [`${rule.afterReminder} after a reminder of this rule`] : []),
    ...(rule.refused > 0 ? [`${rule.refused} refused`] : []),
    ...(rule.asked > 0 ? [`${rule.asked} asked`] : []),
    ...(rule.noResult > 0 ? [`${count(rule.noResult, "run")} without a result`] : []),
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
          `Never applied in ${count(sessions, "session")}: ${names(neverApplied, isAll)}`,
          `  What it waits for: continuo rules why ${shown(neverApplied[0])}`,
        ]),
    ...(left === 0 ? [] : ["", `${count(left, "more rule")} not counted: there are too many.`]),
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
