/** `continuo/rules`: finding and reading rule files. */
export { readCatalog } from "../../sources/rules/catalog/catalog.ts";
export type { Catalog, CatalogRule } from "../../sources/rules/catalog/catalog-rule.ts";
export { evaluate, type Judgement } from "../../sources/rules/evaluate.ts";
export { parseRule } from "../../sources/rules/parsing/parse.ts";
export type * from "../../sources/rules/rule.ts";
