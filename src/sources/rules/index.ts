/** `continuo/rules`: finding and reading rule files. */
export { discoverRules, type RuleFile } from "./discover.ts";
export { splitFrontmatter } from "./frontmatter.ts";
export { type Loaded, loadRule, type Rule } from "./load.ts";
