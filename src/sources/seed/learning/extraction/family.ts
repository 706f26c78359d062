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
export const TOOL = `(?:${ANY})(?![\\w-])`;

/** A family of phrasings in which people say how they want to work. */
export interface Family {
  readonly name: "standing" | "preference" | "correction" | "remember" | "convention" | "repeated";
  readonly type: LearningType;
  readonly confidence: number;
  /** Matched from the beginning of a clause, without leading words of politeness. A group named `rest` is what is learned. */
  readonly pattern: RegExp;
  /** What the clause begins with, in lower case, if all that match begin alike: compiling a pattern takes time. */
  readonly opening?: string;
  /** The same for text without accents, in languages that have them. */
  readonly plain?: () => RegExp;
}

export const DONT = "(?:don['’]?t|do not)";
export const REPO = "(?:repo|repository|project|codebase|code base|monorepo|workspace|team|company)";
export const PLACE = `(?:(?:in|for|across|on|at) (?:this|our|my|all my|all our) (?:\\w+ )??${REPO}s?|around here|with us)`;
export const FROM_NOW =
  "(?:from now on(?:wards?)?|(?:going|moving) (?:forwards?|foward|forwrad)|from here on(?: out| in)?|henceforth|for future reference|as of (?:now|today)|starting (?:now|today)|from this point on|(?:for|on) (?:the )?next (?:ones|prs|commits|tasks))";
/** "For all future migrations", "for the rest of this project": said of what is not there yet. */
export const FUTURE = `(?:(?:for|in|on|with) (?:all|any|every|each) (?:the |your |our |of (?:the|your|our) )?(?:future|new|upcoming|further|later|subsequent) (?!(?:data|users?|rows?|customers?|records?)\\b)[\\w'’/ -]{2,50}|for the (?:rest|remainder) of (?:this|the|our) ${REPO}|as long as (?:you|we) work (?:on|in) (?:this|our) ${REPO})`;
/** What software is made with. A wish about it is about working; one about a button is about the product. */
export const MAKES =
  "(?:the|our|your|this (?:repo|project|codebase)['’]s|all|every|any) (?:(?:whole|entire|main|unit|integration|release|production|ci) )*(?:builds?|ci|pipelines?|tests?|test suite|linter|type ?checks?|code|code ?base|(?:main |default )?branch(?:es)?|releases?|deploy(?:ment)?s?|scripts?|migrations?|commits?|pull requests?|prs?|lock ?files?|docs?|documentation|changelog|dependencies|repo|repository|project|dockerfile|makefile|git history|history)";
/** What answers have too much of. */
export const FILLER =
  "(?:emojis?|summar(?:y|ies)|recaps?|wrap-ups?|apolog(?:y|ies)|praise|flattery|preambles?|filler|fluff|pleasantries|disclaimers?|intro(?:duction)?s?|explanations?|small talk|bullet points|compliments|pep talk|boilerplate|exclamation marks|smileys)";
/** How names and texts are written. */
export const CASE =
  "(?:upper ?case|lower ?case|capitals|snake_case|camelCase|kebab-case|PascalCase|title case|sentence case|singular|plural|the imperative|imperative mood)";
/** A word, code or a short quotation. */
export const THING = `[\\w./"'+:@$%#*\u0001\u0002-]+`;
/** "Never called", "always the same" and "never mind" are not instructions. */
export const ORDER = `(?!mind\\b|been\\b|is\\b|are\\b|was\\b|were\\b|ha[ds]\\b|have to\\b|a\\b|an\\b|the\\b|in\\b|on\\b|at\\b|true\\b|false\\b|there\\b|again\\b|happens?\\b|shown\\b|seen\\b|done\\b|made\\b|written\\b|works?\\b|fails?\\b|\\w+ing\\b|(?!\\w+ss\\b|focus\\b|canvas\\b)\\w+s\\b|(?!need\\b|embed\\b|feed\\b|seed\\b|proceed\\b)\\w+ed\\b)[a-z]`;
export const ORDERS =
  "(?:always|never|only|please|use|run|write|keep|put|add|avoid|ask|check|make|commit|push|test|format|name|prefer|stop|start|give|show|answer|explain|include|leave|treat|stick|skip|let['’]?s|you (?:should|must|need)|i want|i['’]d like|we (?:should|will|use)|don['’]?t|do not|no|all|every|any)";
export const HABIT =
  "(?:adding|using|writing|creating|committing|making|putting|explaining|apologi[sz]ing|summari[sz]ing|asking|guessing|assuming|inventing|leaving|touching|reformatting|renaming|mocking|skipping|repeating|ignoring|forgetting|suppressing)";

/** Not this one: what follows is meant in general. */
export const GENERAL =
  "(?!this\\b|that\\b|these\\b|those\\b|the\\b|it\\b|its\\b|them\\b|a\\b|an\\b|my\\b|his\\b|her\\b|me\\b|any of\\b|anything\\b|so\\b|another\\b|there\\b|to\\b|yourself\\b)";
/** What instructions are usually about, as many of them or in general. */
export const TOPIC =
  "(?:(?:all|every|each|any|new|your|our|my|public|unit|integration|end-to-end|e2e|production|generated|database|error|log|sql|api) )*(?:commit messages?|commits?|tests?|test names?|test files?|branch(?:es| names?)|pull requests?|prs?|pr (?:titles?|descriptions?)|comments?|doc(?:s|strings?| comments?)|documentation|variables?(?: names?)?|functions?(?: names?)?|methods?|class(?:es| names)|components?|types?|interfaces|enums|imports|exports|files?(?: names)?|filenames|names|migrations?|endpoints?|routes|handlers|queries|columns?|tables|messages|logs?|errors|exceptions|dependencies|packages|modules|secrets|answers?|repl(?:y|ies)|responses|explanations|summaries|changelog entries|release notes|dates|timestamps|ids|constants|booleans|env(?:ironment)? vars?|settings|flags|breaking changes|config(?:uration)? (?:files|options|keys)|environment variables|scripts|fixtures|mocks|features?|bug ?fix(?:es)?|code|indentation|diffs|schemas?)";
export const PEOPLE_LANGUAGES =
  "(?:(?:british|american|plain|simple|us|uk) )?(?:english|german|french|spanish|portuguese|italian|dutch|polish|chinese|japanese|korean|russian|turkish)";

export function family(
  name: Family["name"],
  type: LearningType,
  confidence: number,
  ...patterns: readonly string[]
): Family[] {
  return patterns.map((pattern) => {
    const opening = pattern.startsWith(DONT) ? "do" : /^[a-z]+(?= )/.exec(pattern)?.[0];
    let made: RegExp | undefined;
    return {
      name,
      type,
      confidence,
      // Made when it is first tried: most sentences begin in another way.
      get pattern() {
        made ??= new RegExp(`^${pattern}`, pattern.includes("\\p{") ? "iu" : "i");
        return made;
      },
      ...(opening === undefined ? {} : { opening }),
    };
  });
}
