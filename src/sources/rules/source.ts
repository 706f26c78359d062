import type { Answer, Source, Surroundings } from "../../moments/source.ts";
import type { Item, Moment } from "../../moments/types.ts";
import { loadRules } from "./cache.ts";
import { discoverRules } from "./discover.ts";

/** Rules come first in a snapshot: hosts that cut keep the beginning. */
const SECTION_PRIORITY = 100;

/** The unconditional rules of a project. They are essential: they may use the whole token limit. */
export const rules: Source = {
  name: "rules",
  answersChildren: true,
  settings: {},
  answers: { start: answer, resume: answer, prompt: answer, compacted: answer },
};

async function answer(moment: Moment, surroundings: Surroundings): Promise<Answer> {
  // Told once an epoch: at every prompt it would only fill the health log.
  const report = moment.name === "prompt" ? () => undefined : surroundings.report;
  const items: Item[] = [];
  const files = discoverRules(moment.project.root, (path, code) =>
    report("rule-unreadable", `${path} cannot be read (${code})`, "make it readable, or remove it"),
  );
  for (const loaded of await loadRules(files, moment, surroundings)) {
    if (loaded.kind === "refused") report(loaded.code, loaded.message, "mend the file; it is inactive");
    if (loaded.kind !== "rule" || loaded.rule.body === "") continue;
    const { rule } = loaded;
    items.push({
      key: `${rule.file.folder}/${rule.file.name}`,
      name: rule.name,
      text: rule.body,
      reason: `always on, from ${rule.file.path}`,
      priority: rule.priority,
    });
  }
  return {
    sections: [
      {
        source: "rules",
        title: "Rules",
        nature: "instructions",
        priority: SECTION_PRIORITY,
        essential: true,
        items,
      },
    ],
  };
}
