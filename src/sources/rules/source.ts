import type { Item, Section } from "../../compose/section.ts";
import type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
import type { Moment } from "../../moments/types.ts";
import { priorityOf } from "../order.ts";
import { type Catalog, readCatalog } from "./catalog/catalog.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";
import { evaluate } from "./evaluate.ts";
import { FOLDER_SETTINGS } from "./files/folders.ts";
import { guard, trusted } from "./guard.ts";
import { observe, readMemo } from "./memo.ts";
import { factsOf, observationOf, wantedAt } from "./session.ts";

/** Rules come first in a snapshot: hosts that cut keep the beginning. */

export const rules: Source = {
  name: "rules",
  answersChildren: true,
  settings: FOLDER_SETTINGS,
  answers: { start: answer, resume: answer, prompt: answer, tool: answer, compacted: answer },
  guard,
};

/** The rules that apply now. What was delivered already is the engine's business. */
async function answer(moment: Moment, context: SourceContext): Promise<Answer> {
  const memo = readMemo(context.memo);
  const catalog = await readCatalog({
    root: moment.project.root,
    home: context.home,
    env: context.env,
    settings: context.settings,
    host: moment.session.host,
    readOnly: context.readOnly,
    now: moment.at,
    wanted: wantedAt(moment, memo, context),
  });
  // Told once an epoch: at every prompt it would only fill the health log.
  const isBeginning = moment.name === "start" || moment.name === "compacted";
  if (isBeginning) {
    reportTroubles(catalog, context);
    if (!context.readOnly) trusted(moment.at, context); // a damaged list is told at a start, too
  }
  const seen = observationOf(moment, catalog, memo, context);
  const after = observe(memo, seen);
  const facts = factsOf(moment, after, context.env);
  const active = catalog.rules.flatMap((rule) => {
    if (rule.isEmpty) return [];
    const judgement = evaluate(rule, facts);
    return judgement.active ? [{ rule, judgement }] : [];
  });
  const { readable, out } = withinReach(active.map(({ rule }) => rule));
  if (out.length > 0 && isBeginning)
    context.report(
      "rules-cut",
      `${out.length} long rules apply and are not read, such as ${out[0]?.file.path}: too many do at once`,
      "run: continuo rules list",
    );
  const items = active.flatMap(({ rule, judgement }) =>
    readable.has(rule) ? [itemOf(rule, judgement.because())] : [],
  );
  const sections = [section(items)];
  return after === memo ? { sections } : { sections, remember: (newest) => observe(readMemo(newest), seen) };
}

/** Troubles that are recorded one by one; more of them would only fill the health log. */
const MAX_REPORTS = 20;

function reportTroubles({ rejects, pending }: Catalog, { report }: SourceContext): void {
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
      `${pending.length} rule files are not read yet, such as ${pending[0]?.path}: the next hooks go on`,
    );
}

/** Bytes of long rules that are read from their files at one moment: far more than any budget has room for. */
const MAX_READ = 2 * 1024 * 1024;

/** The rules whose texts can be had now: all that are at hand, and of the others the most important ones. */
function withinReach(rules: readonly CatalogRule[]): { readable: Set<CatalogRule>; out: CatalogRule[] } {
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

/** Rules as the section that carries them, for those who ask what would have room. What they cost is known without their texts. */
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
    // A long text is read only where it is needed: what was delivered before is known by its hash.
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
  };
}
