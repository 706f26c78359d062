import type { LearningType } from "../../types.ts";

/**
 * Tools that are chosen once per project or person: an instruction to use another one is seldom about one task only.
 * A tool that is missing here is found as a repeat, once it came up in several sessions.
 */
const NAMES = `
  npm pnpm yarn bun deno npx bunx pip pipx uv poetry conda pdm hatch cargo gradle maven bazel make just mise asdf nvm fnm volta nix brew
  vitest jest mocha ava cypress playwright pytest unittest tox nox rspec minitest junit testcontainers
  eslint prettier biome oxlint ruff black flake8 isort pylint mypy pyright clippy rustfmt gofmt gofumpt golangci-lint shellcheck rubocop
  typescript javascript python rust esm commonjs tsx ts-node esbuild vite webpack rollup turbopack tsup
  react vue svelte solid tailwind zod valibot drizzle prisma sqlalchemy fastapi flask django express hono
  postgres postgresql sqlite mysql redis duckdb docker podman kubectl helm terraform
  git gh jj ripgrep rg fd jq sed rebase squash conventional-commits tabs spaces
`
  .trim()
  .split(/\s+/);

export const TOOL_NAMES: ReadonlySet<string> = new Set(NAMES);

const ANY = NAMES.map((name) => name.replaceAll("-", "[- ]")).join("|");

/** A tool's name as part of a pattern. */
const TOOL = `(?:${ANY})(?![\\w-])`;

/** A family of phrasings in which people say how they want to work. */
export interface Family {
  readonly name: "standing" | "preference" | "correction" | "remember" | "convention" | "repeated";
  readonly type: LearningType;
  readonly confidence: number;
  /** Matched from the beginning of a clause, without leading words of politeness. A group named `rest` is what is learned. */
  readonly pattern: RegExp;
}

const DONT = "(?:don['’]?t|do not)";
const REPO = "(?:repo|repository|project|codebase|code base|monorepo|workspace|team|company)";
const PLACE = `(?:in|for|across) (?:this|our) (?:whole |entire )?${REPO}`;
const FROM_NOW = "(?:from now on|going forward|from here on(?: out)?|henceforth|for future reference)";
/** "Never called", "always the same" and "never mind" are not instructions. */
const ORDER = `(?!mind\\b|been\\b|is\\b|are\\b|was\\b|were\\b|ha[ds]\\b|have to\\b|a\\b|an\\b|the\\b|in\\b|on\\b|at\\b|true\\b|false\\b|there\\b|again\\b|happens?\\b|shown\\b|seen\\b|done\\b|made\\b|written\\b|works?\\b|fails?\\b|\\w+ing\\b|(?!\\w+ss\\b|focus\\b|canvas\\b)\\w+s\\b|(?!need\\b|embed\\b|feed\\b|seed\\b|proceed\\b)\\w+ed\\b)[a-z]`;
const ORDERS =
  "(?:always|never|only|please|use|run|write|keep|put|add|avoid|ask|check|make|commit|push|test|format|name|prefer|stop|start|give|show|answer|explain|include|leave|treat|stick|skip|let['’]?s|you (?:should|must|need)|i want|i['’]d like|we (?:should|will|use)|don['’]?t|do not|no|all|every|any)";
const HABIT =
  "(?:adding|using|writing|creating|committing|making|putting|explaining|apologi[sz]ing|summari[sz]ing|asking|guessing|assuming|inventing|leaving|touching|reformatting|renaming|mocking|skipping|repeating|ignoring|forgetting|suppressing)";

function family(
  name: Family["name"],
  type: LearningType,
  confidence: number,
  ...patterns: readonly string[]
): Family[] {
  return patterns.map((pattern) => ({ name, type, confidence, pattern: new RegExp(`^${pattern}`, "i") }));
}

/** The first match wins. Tried on the user's own words only, clause by clause. */
export const FAMILIES: readonly Family[] = [
  ...family(
    "standing",
    "pattern",
    0.9,
    `${FROM_NOW}[,:]? +(?<rest>${ORDERS}\\b.*)`,
    `(?<rest>${ORDERS}\\b.*?),? (?:from now on|going forward|from here on(?: out)?)[.!]*$`,
    `(?:in (?:the )?future|next time|for next time)[,:]? +(?<rest>(?!we (?:will|might))${ORDERS}\\b.*)`,
    `(?:always|never) +${ORDER}`,
    `(?:you|claude) (?:must|should|need to|have to|are to|can) (?:always|never)\\b`,
    `make sure (?:that )?(?:you |to |we )*(?:always|never)\\b`,
    `(?:try to )?(?:always|never) (?:make sure|be sure)\\b`,
    `${DONT} ever\\b`,
    `${DONT} \\w+ .*\\bagain[.!]*$`,
    `(?:every ?time|each time|whenever|any ?time) you\\b.*,`,
    `(?:before|after) (?:every|each|any) (?:commit|push|change|edit|release|pr|merge|task|session)\\b`,
    `${ORDERS} .*\\b(?:before|after) (?:every|each|any) (?:single )?(?:commit|push|change|edit|release|pr|merge|task|session)\\b`,
    `(?:when|whenever|before|after|if) (?:you\\b|i ask\\b|in doubt\\b|unsure\\b|\\w+ing\\b)[^,]*, (?:please )?(?:always|never)\\b`,
    `${DONT} .*\\b(?:unless|without) (?:i (?:ask|say|tell)|asking|my (?:permission|approval|ok)|being asked|me asking)\\b`,
    `ask (?:me )?(?:first )?before (?:you )?(?:committing|pushing|deleting|installing|adding|changing|creating|running|commit|push|delete|install)\\b`,
  ),
  ...family(
    "standing",
    "pattern",
    0.75,
    `(?:(?:i think )?(?:we|you) (?:should|shouldn['’]?t|${DONT} want|want to)|use|prefer|avoid|keep|write|${DONT}) .*\\b(?:wherever|whenever|where|if) (?:we can(?: help it)?|you can(?: help it)?|possible)[.!]*$`,
    `we (?:always|never) (?:want|use|run|write|commit|squash|rebase|merge|push|prefer|review|test|deploy|document|format|lint)\\b`,
  ),
  ...family(
    "preference",
    "pattern",
    0.85,
    "i (?:really |strongly |always |generally |usually |much |tend to )*prefer (?!the\\b|this\\b|that\\b|it\\b|option\\b|your\\b|if\\b|\\w+ one\\b|\\d)",
    "i(?:['’]d| would) (?:really |much )*(?:prefer|rather) (?:it if |that |if )?you (?:didn['’]?t|don['’]?t|not|always|never|used|kept|asked|wrote|ran|only|stopped|avoided)\\b",
    `i (?:really |always |generally )*(?:like|love|hate|dislike|${DONT} like) it when (?!this|that|it\\b)`,
    `i (?:always|never) (?:want|like)\\b`,
    "i want you to (?:always|never)\\b",
    `i ${DONT} ever want\\b`,
    "my (?:preference|preferred \\w+|coding style|style|convention) (?:is|are)\\b",
  ),
  ...family(
    "convention",
    "insight",
    0.85,
    `${PLACE},? we (?:use|only|always|never|prefer|write|run|keep|follow|put|name|avoid|require|commit|squash|rebase|deploy|build|format|lint|target|${DONT})\\b`,
    `${PLACE},? (?:please )?(?:always|never|use|run|only|avoid|${DONT})\\b`,
    `we (?:only |always )?(?:use|${DONT} use) (?:\\w+ ){0,1}${TOOL}(?: here| in (?:this|our) ${REPO}|,? (?:not|instead of) \\S+|[.!]*$)`,
  ),
  ...family(
    "convention",
    "insight",
    0.75,
    `we (?:use|keep|avoid|write|put|name|store|call|run|treat|do|${DONT} \\w+) .*\\b(?:on purpose|deliberately|intentionally|explicitly|by design)\\b`,
  ),
  ...family(
    "remember",
    "self_knowledge",
    0.9,
    "(?:remember|keep in mind|don['’]?t forget),? (?:also )?that (?<rest>.+)",
    "(?:remember|keep in mind|note to self|note for (?:the )?future|for the record)[:,] +(?<rest>.+)",
    "remember (?:also )?(?<rest>(?:you (?:have|can|must|should|need)|we|i|our|my) .+)",
    "(?:remember|don['’]?t forget) to (?<rest>(?:always|never) .+)",
  ),
  ...family(
    "correction",
    "pattern",
    0.8,
    `(?:please )?use (?:\\w+ ){0,1}${TOOL}[^,]{0,20},? (?:instead of|rather than|and not|not|over) (?!this|that)\\S+`,
    `(?:please )?use (?:\\w+ ){0,1}${TOOL},? instead[.!]*$`,
    `instead of \\S+(?: \\S+)?,? (?:please )?use (?:\\w+ ){0,1}${TOOL}`,
    `(?:${DONT}|stop|never) us(?:e|ing) (?:\\w+ ){0,1}${TOOL}`,
    `(?:it['’]s|we['’]re (?:using|on)|we are (?:using|on)) ${TOOL},? not ${TOOL}`,
    `stop ${HABIT} (?!it\\b|this\\b|that\\b|them\\b|these\\b|those\\b|so\\b)\\w+`,
  ),
];

/** Only after a "no": without it, the same words describe how to do a task and correct nothing. */
export const AFTER_NO: readonly Family[] = family(
  "correction",
  "pattern",
  0.8,
  `(?:please )?(?:use|run|do it with|go with) (?:\\w+ ){0,1}${TOOL}(?! (?:version|v?\\d))`,
);

/** Too weak alone: an instruction that sets a limit or a means. If it comes up in several sessions, it is a standing one. */
export const WEAK: readonly Family[] = family(
  "repeated",
  "pattern",
  0.75,
  `(?:please )?(?:${DONT}|avoid|never|only|use|make sure|keep)\\b`,
  `(?:please )?(?:run|write|add|check|ask|commit|test|format)\\b.*\\b(?:first|before|after|without|instead of|with|only)\\b`,
);
