import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../base/errors.ts";
import { count } from "../../base/when.ts";
import { quote } from "../../compose/escape.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Offer } from "../../moments/ports/offer.ts";
import type { Answer, GuardContext, Source, SourceContext, Verdict } from "../../moments/ports/source.ts";
import type { EndMoment, Moment, ToolMoment } from "../../moments/types.ts";
import { dailyWarning } from "../../store/health.ts";
import { homeAt } from "../../store/home.ts";
import { readTrust } from "../../store/trust.ts";
import { priorityOf } from "../order.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { Catalog, CatalogRule } from "./catalog/catalog-rule.ts";
import { compileChecks } from "./checks/check-set.ts";
import { NOTHING_SO_FAR } from "./checks/commands-so-far.ts";
import { judgeCall } from "./checks/judge.ts";
import { strictestVerdict } from "./checks/verdict.ts";
import { WAITING_FILE } from "./drafts/waiting-file.ts";
import { evaluate } from "./evaluate.ts";
import { ruleFolders } from "./files/folders.ts";
import { observe, type RulesMemo, readMemo } from "./memo.ts";
import { onRequestSection } from "./on-request.ts";
import { factsOf, observationOf, wantedAt } from "./session.ts";
import { RULES_SETTINGS } from "./settings.ts";
import { withdrawnItems } from "./withdrawn.ts";

export const rules: Source = {
  name: "rules",
  answersChildren: true,
  settings: RULES_SETTINGS,
  answers: { start: answer, resume: answer, prompt: answer, tool: answer, compacted: answer, end: atEnd },
  guard,
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
      // Changed rule files are read while the agent is idle, so that the next prompt finds them in the cache.
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

/** The rules that apply now. The engine leaves out those that were delivered already. */
async function answer(moment: Moment, context: SourceContext): Promise<Answer> {
  const memo = readMemo(context.memo);
  const catalog = await catalogAt(moment, memo, context);
  // Reported once per epoch: at every prompt it would only fill the health log.
  const isBeginning = moment.name === "start" || moment.name === "compacted";
  if (isBeginning) {
    reportProblems(catalog, context);
    if (!context.readOnly) trustedProjects(moment.at, context); // reports a damaged file
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
    readable.has(rule) ? [itemOf(rule, judgement.because())] : [],
  );
  const seen = { ...observed, names: givenNames(active.map(({ rule }) => rule)) };
  const after = observe(memo, seen);
  const isInside = moment.name === "prompt" || moment.name === "tool";
  const sections = isInside
    ? [section([...items, ...withdrawn(moment, context, catalog, after.names)])]
    : [
        section(items),
        ...onRequestSection(
          catalog.rules.filter((rule) => !isMuted(rule.file.key)),
          moment,
        ),
      ];
  const answered = { sections, ...(await waitingAt(moment, context)) };
  return after === memo ? answered : { ...answered, remember: (newest) => observe(readMemo(newest), seen) };
}

/** How many drafts and questions wait. Nothing is loaded where there are none. */
async function waitingAt(moment: Moment, { home, report }: SourceContext): Promise<Pick<Answer, "waiting">> {
  const isAsked = moment.name === "start" && moment.session.parent === undefined;
  if (!isAsked || !existsSync(join(home, WAITING_FILE))) return {};
  try {
    const { drafts, questions } = (await import("./drafts/waiting.ts")).readWaiting(home);
    return { waiting: drafts.length + questions.length };
  } catch (error) {
    const { code, message, hint } = describeError(error);
    report(code, message, hint);
    return {};
  }
}

/** What the session did while no moment reached Continuo: its rules are given at the next prompt, if it is resumed. */
async function atEnd(moment: EndMoment, context: SourceContext): Promise<Answer> {
  const { calls = [], prompts = [] } = moment.missed ?? {};
  if (calls.length === 0 && prompts.length === 0) return {};
  const memo = readMemo(context.memo);
  const seen = observationOf(moment, await catalogAt(moment, memo, context), memo, context);
  return { remember: (newest) => observe(readMemo(newest), seen) };
}

function catalogAt(moment: Moment, memo: RulesMemo, context: SourceContext): Promise<Catalog> {
  return readCatalog({
    root: moment.project.root,
    home: context.home,
    env: context.env,
    settings: context.settings,
    host: moment.session.host,
    readOnly: context.readOnly,
    now: moment.at,
    wanted: wantedAt(moment, memo, context),
  });
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

/** Names that differ from the file's. */
function givenNames(rules: readonly CatalogRule[]): Record<string, string> {
  const named = rules.filter(({ name, file }) => name !== file.name);
  return Object.fromEntries(named.map(({ name, file }) => [file.key, name]));
}

/** Checks stop calls only in projects that the user trusts. */
async function guard(moment: ToolMoment, context: GuardContext): Promise<Verdict | undefined> {
  if (!trustedProjects(moment.at, context).includes(moment.project.id)) return undefined;
  const { home, env, settings, report } = context;
  const { session, project, at: now } = moment;
  const { rules, pending } = await readCatalog({
    root: project.root,
    home,
    env,
    settings,
    host: session.host,
    readOnly: false,
    now,
    wanted: { kind: "checks" },
  });
  if (pending.length > 0)
    report("rules-pending", `${pending.length} rule files are not read yet; their checks were left out`);
  const heard = rules.filter(({ file }) => !context.isGuardOff(file.key, file.scope === "global"));
  const set = compileChecks(heard.map(({ file, name, checks }) => ({ key: file.key, name, checks })));
  const verdict = strictestVerdict(judgeCall(set, moment.tool, NOTHING_SO_FAR).breaches);
  return verdict && { ...verdict, message: quote(verdict.message) };
}

/** If the file is damaged no project is trusted. Then no check stops a call, so it is reported. */
function trustedProjects(
  at: number,
  { home, report }: Pick<SourceContext, "home" | "report">,
): readonly string[] {
  const { projects, damage } = readTrust({ root: home });
  if (damage !== undefined)
    dailyWarning(homeAt(home), "trust", at, report)("trust-damaged", damage.message, damage.hint);
  return projects;
}

/** Problems that are recorded one by one; more of them would only fill the health log. */
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

/** Bytes of long rules that are read from their files at one moment: far more than any budget. */
const MAX_READ = 2 * 1024 * 1024;

/** The rules whose texts are read now: all that are in memory, and the most important of the others. */
function splitByReadLimit(rules: readonly CatalogRule[]): { readable: Set<CatalogRule>; out: CatalogRule[] } {
  const readable = new Set(rules.filter((rule) => rule.isAtHand));
  const others = rules.filter((rule) => !rule.isAtHand);
  const out: CatalogRule[] = [];
  let left = MAX_READ;
  const rank = (rule: CatalogRule) => (rule.file.scope === "global" ? 0 : 1);
  for (const rule of others.sort(
    (a, b) => rank(a) - rank(b) || b.priority - a.priority || a.file.size - b.file.size,
  )) {
    left -= rule.file.size;
    if (left >= 0) readable.add(rule);
    else out.push(rule);
  }
  return { readable, out };
}

/** The section of some rules, to find out which would fit into a budget. Their cost is known without their texts. */
export function rulesSection(rules: readonly CatalogRule[], isRead: boolean): Section {
  return section(
    rules
      .filter((rule) => !rule.isEmpty)
      .map((rule) => {
        const { file, name, tokens, priority } = rule;
        const isUsers = file.scope === "global";
        return { key: file.key, name, text: isRead ? rule.body : "", tokens, reason: "", priority, isUsers };
      }),
  );
}

function itemOf(rule: CatalogRule, because: string): Item {
  return {
    key: rule.file.key,
    name: rule.name,
    // A long text is read only if needed: a rule that was delivered before is recognised by its hash.
    get text() {
      return rule.body;
    },
    hash: rule.hash,
    tokens: rule.tokens,
    reason: `${because}, from ${rule.file.path}`,
    priority: rule.priority,
    isUsers: rule.file.scope === "global",
  };
}

function section(items: readonly Item[]): Section {
  return {
    source: "rules",
    title: "Rules",
    nature: "instructions",
    priority: priorityOf("rules"),
    essential: true,
    items,
    summary: (delivered) => count(delivered, "rule"),
  };
}
