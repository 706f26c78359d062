import { relative } from "node:path";
import { count } from "../../base/when.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Moment } from "../../moments/types.ts";
import { priorityOf } from "../order.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";
import { isOnRequest } from "./catalog/digest.ts";

const MAX_LINES = 20;

/** One line for each rule that the model may read when it fits its task. Named when an epoch begins. */
export function onRequestSection(rules: readonly CatalogRule[], moment: Moment): Section[] {
  const named = rules
    .filter(isOnRequest)
    .sort((a, b) => b.priority - a.priority || (a.file.key < b.file.key ? -1 : 1));
  const more = named.length - MAX_LINES;
  // A subagent has one task: a long list would cost it more than it is worth.
  if (named.length === 0 || (more > 0 && moment.session.parent !== undefined)) return [];
  const lines = named.slice(0, MAX_LINES).map((rule, i) => line(rule, i, moment.project.root));
  const rest: Item = {
    key: "on-request",
    name: "more rules on request",
    text: `and ${more} more: "continuo rules list" names them`,
    reason: `only ${MAX_LINES} rules on request are named`,
    priority: -MAX_LINES,
  };
  return [
    {
      source: "rules",
      title: "Rules on request",
      nature: "on request",
      priority: priorityOf("rules on request"),
      essential: false,
      layout: "lines",
      items: more > 0 ? [...lines, rest] : lines,
      summary: (delivered) => `${count(delivered > MAX_LINES ? named.length : delivered, "rule")} on request`,
    },
  ];
}

function line({ name, when, file }: CatalogRule, place: number, root: string): Item {
  const below = relative(root, file.path).replaceAll("\\", "/");
  const path = file.scope === "global" || below.startsWith("..") ? file.path : below;
  const description = when.kind === "manual" ? (when.description ?? "") : "";
  return {
    key: `on-request/${file.key}`,
    name,
    // The path has most rules' names in it.
    text: path.endsWith(name) ? `${path}: ${description}` : `${name} (${path}): ${description}`,
    reason: `on request: ${description}`,
    priority: -place,
  };
}
