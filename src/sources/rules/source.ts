import type { Item } from "../../compose/section.ts";
import type { Offer } from "../../moments/ports/offer.ts";
import type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
import type { EndMoment, Moment } from "../../moments/types.ts";
import { placeOf, readCatalog } from "./catalog/catalog.ts";
import type { Catalog, CatalogRule } from "./catalog/catalog-rule.ts";
import { atIdle, changed, checkedAt } from "./checked-moments.ts";
import type { Checked } from "./checks/checked.ts";
import { unrecordedCounts, withoutCounts } from "./checks/occasions.ts";
import { markOf } from "./checks/section.ts";
import { waitingAt } from "./drafts/count-waiting.ts";
import { evaluate } from "./evaluate.ts";
import { ruleFolders } from "./files/folders.ts";
import { guard } from "./guard.ts";
import { observe, type RulesMemo, readMemo } from "./memo.ts";
import { itemOf, onRequestSection, section, splitByReadLimit, withdrawnItems } from "./rules-section.ts";
import { factsOf, observationOf, wantedAt } from "./session.ts";
import { RULES_SETTINGS } from "./settings.ts";
import { trustedProjects } from "./trusted.ts";

export const rules: Source = {
  name: "rules",
  answersChildren: true,
  comesFirst: true,
  settings: RULES_SETTINGS,
  answers: {
    start: answer,
    resume: answer,
    prompt: answer,
    tool: answer,
    compacted: answer,
    idle: atIdle,
    end: atEnd,
  },
  guard,
  guardsEverywhere: async (context) => (await import("./guards-everywhere.ts")).guardsEverywhere(context),
  named: async (place) => (await import("./named.ts")).namedRules(place),
  prepare: async (start, context) => (await import("./drafts/read-rules.ts")).draftFromRules(start, context),
  hear: async (heard, moment, context) =>
    (await import("./drafts/hear.ts")).draftHeard(heard, moment, context),
};

export const rulesOffer: Offer = {
  source: "rules",
  jobs: [
    {
      name: "rules read ahead",
      at: "idle",
      // Reads changed rule files while the agent is idle, so that the next prompt finds them in the cache.
      run: async ({ project, home, env, settings, session, now }) => {
        await readCatalog({
          root: project.root,
          home: home.root,
          env,
          settings,
          host: session.host,
          readOnly: false,
          now,
        });
      },
    },
  ],
};

/** The rules that apply now. The engine removes those that were already delivered. */
async function answer(moment: Moment, context: SourceContext): Promise<Answer> {
  const begun = performance.now();
  const memo = readMemo(context.memo);
  const catalog = await catalogAt(moment, memo, context);
  // Reported once per epoch: at every prompt it would only fill the health log.
  const isBeginning = moment.name === "start" || moment.name === "compacted";
  if (isBeginning) {
    reportProblems(catalog, context);
    if (!context.readOnly) trustedProjects(moment.at, context); // called because it reports a damaged file
  }
  const observed = observationOf(moment, catalog, memo, context);
  const facts = factsOf(moment, observe(memo, observed), context.env);
  const { isMuted = () => false } = context;
  const active = catalog.rules.flatMap((rule) => {
    if (rule.isEmpty || isMuted(rule.file.key)) return [];
    const judgement = evaluate(rule, facts);
    return judgement.active ? [{ rule, judgement }] : [];
  });
  const { readable, out } = splitByReadLimit(active.map(({ rule }) => rule));
  if (out.length > 0 && isBeginning)
    context.report(
      "rules-cut",
      `too many long rules apply at once; ${out.length} of them are not read, such as ${out[0]?.file.path}`,
      "run: continuo rules list",
    );
  const items = active.flatMap(({ rule, judgement }) =>
    readable.has(rule) ? [itemOf(rule, judgement.because(), markOf(rule.file.key, memo.checks, moment))] : [],
  );
  const seen = { ...observed, names: givenNames(active.map(({ rule }) => rule)) };
  const after = observe(memo, seen);
  const isInside = moment.name === "prompt" || moment.name === "tool";
  const checked = await checkedAt(moment, memo.checks, catalog, context, begun);
  const sections = isInside
    ? [...(checked.sections ?? []), section([...items, ...withdrawn(moment, context, catalog, after.names)])]
    : [
        section(items),
        ...onRequestSection(
          catalog.rules.filter((rule) => !isMuted(rule.file.key)),
          moment,
        ),
      ];
  const answered = { sections, ...(await waitingAt(moment, context)) };
  if (after === memo && checked.change === undefined) return answered;
  return {
    ...checked,
    ...answered,
    remember: (newest) => changed(observe(readMemo(newest), seen), checked),
  };
}

/**
 * What the session did while no moment reached Continuo: if it is resumed, the next prompt delivers the rules for that.
 */
async function atEnd(moment: EndMoment, context: SourceContext): Promise<Answer> {
  const memo = readMemo(context.memo);
  const counts = unrecordedCounts(memo.checks?.seen ?? {});
  const hasCounts = Object.keys(counts).length > 0;
  const { calls = [], prompts = [] } = moment.missed ?? {};
  const isMissed = calls.length > 0 || prompts.length > 0;
  if (!isMissed && !hasCounts) return {};
  const seen = isMissed
    ? observationOf(moment, await catalogAt(moment, memo, context), memo, context)
    : undefined;
  const recorded: Checked = hasCounts
    ? { change: (newest) => ({ ...newest, seen: withoutCounts(newest.seen, counts) }) }
    : {};
  return {
    remember: (newest) => {
      const known = readMemo(newest);
      return changed(seen === undefined ? known : observe(known, seen), recorded);
    },
    ledgerEntries: () => (hasCounts ? [{ kind: "checked", counts }] : []),
  };
}

function catalogAt(moment: Moment, memo: RulesMemo, context: SourceContext): Promise<Catalog> {
  return readCatalog({ ...placeOf(moment, context), wanted: wantedAt(moment, memo, context) });
}

function withdrawn(
  moment: Moment,
  { delivered, home, env, settings, isMuted }: SourceContext,
  catalog: Catalog,
  names: Readonly<Record<string, string>>,
): Item[] {
  if (delivered === undefined || delivered.size === 0) return [];
  const folders = ruleFolders(moment.project.root, home, env, settings, moment.session.host);
  return withdrawnItems(delivered, catalog, folders, names, isMuted);
}

/** The rules' names that differ from their files' names. */
function givenNames(rules: readonly CatalogRule[]): Record<string, string> {
  const named = rules.filter(({ name, file }) => name !== file.name);
  return Object.fromEntries(named.map(({ name, file }) => [file.key, name]));
}

/** How many problems are recorded individually; more would only fill the health log. */
const MAX_REPORTS = 20;

function reportProblems({ rejects, pending }: Catalog, { report }: SourceContext): void {
  for (const { code, message } of rejects.slice(0, MAX_REPORTS))
    report(code, message, "run: continuo rules check");
  if (rejects.length > MAX_REPORTS)
    report(
      "rules-refused",
      `${rejects.length - MAX_REPORTS} more rules are refused`,
      "run: continuo rules check",
    );
  if (pending.length > 0)
    report(
      "rules-pending",
      `${pending.length} rule files are not read yet, such as ${pending[0]?.path}: the next hooks continue`,
    );
}
