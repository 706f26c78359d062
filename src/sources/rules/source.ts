import type { Answer, Source, Surroundings } from "../../moments/source.ts";
import type { Item, Moment, Section } from "../../moments/types.ts";
import { type CatalogRule, readCatalog } from "./catalog.ts";
import { evaluate } from "./evaluate.ts";
import { FOLDER_SETTINGS } from "./folders.ts";
import { guard } from "./guard.ts";
import { observe, readMemo } from "./memo.ts";
import { factsOf, observationOf } from "./session.ts";

/** Rules come first in a snapshot: hosts that cut keep the beginning. */
const SECTION_PRIORITY = 100;

export const rules: Source = {
  name: "rules",
  answersChildren: true,
  settings: FOLDER_SETTINGS,
  answers: { start: answer, resume: answer, prompt: answer, tool: answer, compacted: answer },
  guard,
};

/** The rules that apply now. What was delivered already is the engine's business. */
async function answer(moment: Moment, surroundings: Surroundings): Promise<Answer> {
  const catalog = await readCatalog({
    root: moment.project.root,
    home: surroundings.home,
    env: surroundings.env,
    settings: surroundings.settings,
    host: moment.session.host,
    readOnly: surroundings.readOnly,
    now: moment.at,
  });
  if (moment.name === "start" || moment.name === "compacted") {
    // Told once an epoch: at every prompt it would only fill the health log.
    for (const { code, message } of catalog.rejects)
      surroundings.report(code, message, "run: continuo rules check");
  }
  const memo = readMemo(surroundings.memo);
  const seen = observationOf(moment, catalog.rules, memo, surroundings);
  const after = observe(memo, seen);
  const facts = factsOf(moment, after, surroundings.env);
  const items = catalog.rules.flatMap((rule) => {
    const { active, because } = evaluate(rule, facts);
    return active && rule.body !== "" ? [itemOf(rule, because())] : [];
  });
  const sections = [section(items)];
  return after === memo ? { sections } : { sections, remember: (newest) => observe(readMemo(newest), seen) };
}

function itemOf(rule: CatalogRule, because: string): Item {
  return {
    key: rule.file.key,
    name: rule.name,
    text: rule.body,
    tokens: rule.tokens,
    reason: `${because}, from ${rule.file.path}`,
    priority: rule.priority,
  };
}

function section(items: readonly Item[]): Section {
  return {
    source: "rules",
    title: "Rules",
    nature: "instructions",
    priority: SECTION_PRIORITY,
    essential: true,
    items,
  };
}
