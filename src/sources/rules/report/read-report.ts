import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { eachEntry } from "../../../moments/state/ledger-files.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import { loadConfig } from "../../../store/config.ts";
import type { Home } from "../../../store/home.ts";
import { readMutes } from "../../../store/mutes.ts";
import { readCatalog } from "../catalog/catalog.ts";
import { ruleFolders } from "../files/folders.ts";
import { PATIENT_LIMITS } from "../files/limits.ts";
import { rules } from "../source.ts";
import { createFigures, type Figures } from "./figures.ts";
import { type ExistingRule, type RulesReport, reportOn } from "./report.ts";

interface ReportQuery {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly now: number;
  readonly since: number;
  /** One project, with all its ids and the folder whose rules are its own; absent for all projects. */
  readonly project?: { readonly id: string; readonly ids: readonly string[]; readonly root: string };
}

export interface ReadReport extends RulesReport, Pick<Figures, "sessions" | "left"> {
  /** The oldest entry that was counted, in milliseconds since 1970. */
  readonly first?: number;
}

/**
 * For how many projects rules are read, to see which still exist. Reading a project's rules can take a tenth of a
 * second.
 */
const MOST_PROJECTS = 100;

/** How well the rules of a project, or of all projects, are followed, from the ledger. */
export async function readReport(query: ReportQuery): Promise<ReadReport> {
  const { home, now, since, project } = query;
  const figures = createFigures({
    now,
    projectOf: (id) => (project === undefined ? id : project.ids.includes(id) ? project.id : undefined),
  });
  await eachEntry(home, { since, having: ['"rules"', '"broken"', '"checked"'] }, figures.add);
  const sums = figures.sum();
  const existing = new Map<string | undefined, ExistingRule[]>();
  const places = project === undefined ? placesOf(sums.projects) : [project];
  for (const place of places) {
    const found = await existingRules(query, place, sums.hosts);
    existing.set(
      place.id,
      found.filter((rule) => rule.project !== undefined),
    );
    const known = new Set(existing.get(undefined)?.map(({ key }) => key));
    const users = found.filter((rule) => rule.project === undefined && !known.has(rule.key));
    existing.set(undefined, [...(existing.get(undefined) ?? []), ...users]);
  }
  const { sessions, left, first } = sums;
  return { ...reportOn(sums, existing), sessions, left, ...(first === undefined ? {} : { first }) };
}

interface Place {
  readonly id: string;
  readonly root: string;
}

/** The folders of these projects that still exist. */
function placesOf(projects: ReadonlySet<string>): Place[] {
  return [...projects]
    .map((id) => ({ id, root: basename(id) === ".git" ? dirname(id) : id }))
    .filter(({ root }) => existsSync(root))
    .slice(-MOST_PROJECTS);
}

async function existingRules(
  { home, env, now }: ReportQuery,
  { id, root }: Place,
  hosts: ReadonlySet<string>,
): Promise<ExistingRule[]> {
  const settings = loadConfig(home.config, [rules], env).config.sources["rules"] ?? {};
  const catalog = await readCatalog({
    root,
    home: home.root,
    env,
    settings,
    host: "cli",
    readOnly: true,
    now,
    limits: PATIENT_LIMITS,
  });
  const muted = mutedAt(readMutes(home).mutes, { project: id });
  // Some hosts read folders of rules themselves, so Continuo delivers none of their rules there.
  const folders = new Set(
    [...hosts].flatMap((host) => ruleFolders(root, home.root, env, settings, host).map(({ label }) => label)),
  );
  return catalog.rules.map(({ name, file, when, isEmpty, checks }) => ({
    key: file.key,
    name,
    path: file.path,
    ...(file.scope === "global" ? {} : { project: id }),
    changed: Math.max(file.modified, file.changed),
    canApply:
      ((when.kind !== "manual" && !isEmpty) || checks.length > 0) &&
      muted?.of("rules", file.key) === undefined &&
      folders.has(file.key.slice(0, -file.name.length - 1)),
  }));
}
