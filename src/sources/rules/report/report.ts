import type { Figures, RuleFigures, WeekFigures } from "./figures.ts";

/** A rule that exists now. */
export interface ExistingRule {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  /** The project's id; undefined for a rule of the user. */
  readonly project?: string;
  /** Milliseconds since 1970. */
  readonly changed: number;
  /** Whether something in a session can make it apply. */
  readonly canApply: boolean;
}

export interface ReportedRule extends RuleFigures {
  /**
   * Whether the rule still exists; absent if unknown, because there are too many projects or the project's folder was
   * deleted.
   */
  readonly exists?: boolean;
  readonly path?: string;
  /** The share of its occasions at which it was broken; absent without occasions. */
  readonly share?: number;
  /** The same for the last seven days and for the seven days before. */
  readonly lastWeek?: number;
  readonly weekBefore?: number;
}

export interface RulesReport {
  /** Worst first. */
  readonly rules: readonly ReportedRule[];
  /** Existing rules that were neither delivered nor checked, although they are older than the data. */
  readonly neverApplied: readonly ExistingRule[];
  /** Probably a bad rule, or a bad check. */
  readonly alwaysBroken: readonly ReportedRule[];
}

/** With fewer occasions, a broken rule may be a coincidence. */
const LEAST_OCCASIONS = 5;

/** `existing` contains the rules of these projects and, under `undefined`, the user's own. */
export function reportOn(
  figures: Figures,
  existing: ReadonlyMap<string | undefined, readonly ExistingRule[]>,
): RulesReport {
  const byId = new Map([...existing.values()].flat().map((rule) => [idOf(rule), rule]));
  const rules = figures.rules
    .map((rule): ReportedRule => {
      const found = byId.get(idOf(rule));
      const [last, before] = rule.weeks;
      return {
        ...rule,
        name: found?.name ?? (rule.name || rule.key.slice(rule.key.lastIndexOf("/") + 1)),
        ...(existing.has(rule.project) ? { exists: found !== undefined } : {}),
        ...(found === undefined ? {} : { path: found.path }),
        ...present("share", shareOf(rule)),
        ...present("lastWeek", shareOf(last)),
        ...present("weekBefore", shareOf(before)),
      };
    })
    .sort(
      (a, b) =>
        b.broken - a.broken ||
        b.breaches - a.breaches ||
        b.occasions - a.occasions ||
        b.sessions - a.sessions ||
        (a.key < b.key ? -1 : 1),
    );
  const counted = new Set(figures.rules.map(idOf));
  const { first } = figures;
  return {
    rules,
    neverApplied: [...byId.values()].filter(
      (rule) => first !== undefined && rule.canApply && rule.changed < first && !counted.has(idOf(rule)),
    ),
    alwaysBroken: rules.filter(({ broken, occasions }) => broken >= LEAST_OCCASIONS && broken >= occasions),
  };
}

const idOf = ({ project, key }: Pick<ExistingRule, "project" | "key">): string => `${project ?? ""}\n${key}`;

function shareOf(sums: WeekFigures | undefined): number | undefined {
  if (sums === undefined) return undefined;
  // Occasions are recorded when the session goes idle, later than breaches.
  const occasions = Math.max(sums.occasions, sums.broken);
  return occasions === 0 ? undefined : sums.broken / occasions;
}

function present<K extends string>(name: K, value: number | undefined): { readonly [N in K]?: number } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: number };
}
