/** `continuo/rules`: finding and reading rule files. */
export { type Catalog, type CatalogRule, readCatalog } from "./catalog.ts";
export { evaluate, type Judgement } from "./evaluate.ts";
export { parseRule } from "./parse.ts";
export type * from "./rule.ts";
