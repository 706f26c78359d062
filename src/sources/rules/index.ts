/** `continuo/rules`: finding and reading rule files. */
export { type Catalog, readCatalog } from "./catalog.ts";
export type { CatalogRule } from "./catalog-rule.ts";
export { evaluate, type Judgement } from "./evaluate.ts";
export { parseRule } from "./parse.ts";
export type * from "./rule.ts";
