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
  /** What the clause begins with, in lower case, if all that match begin alike: compiling a pattern takes time. */
  readonly opening?: string;
  /** The same for text without accents, in languages that have them. */
  readonly plain?: () => RegExp;
}

const DONT = "(?:don['’]?t|do not)";
const REPO = "(?:repo|repository|project|codebase|code base|monorepo|workspace|team|company)";
const PLACE = `(?:(?:in|for|across|on|at) (?:this|our|my) (?:whole |entire )?${REPO}|around here|with us)`;
const FROM_NOW =
  "(?:from now on(?:wards?)?|(?:going|moving) (?:forwards?|foward|forwrad)|from here on(?: out| in)?|henceforth|for future reference|as of (?:now|today)|starting (?:now|today)|from this point on)";
/** What answers have too much of. */
const FILLER =
  "(?:emojis?|summar(?:y|ies)|recaps?|wrap-ups?|apolog(?:y|ies)|praise|flattery|preambles?|filler|fluff|pleasantries|disclaimers?|intro(?:duction)?s?|explanations?|small talk|bullet points|compliments|pep talk|boilerplate|exclamation marks|smileys)";
/** A word, code or a short quotation. */
/** How names and texts are written. */
const CASE =
  "(?:upper ?case|lower ?case|capitals|snake_case|camelCase|kebab-case|PascalCase|title case|sentence case|singular|plural|the imperative|imperative mood)";
const THING = `[\\w./"'+:@$%#*\u0001\u0002-]+`;
/** "Never called", "always the same" and "never mind" are not instructions. */
const ORDER = `(?!mind\\b|been\\b|is\\b|are\\b|was\\b|were\\b|ha[ds]\\b|have to\\b|a\\b|an\\b|the\\b|in\\b|on\\b|at\\b|true\\b|false\\b|there\\b|again\\b|happens?\\b|shown\\b|seen\\b|done\\b|made\\b|written\\b|works?\\b|fails?\\b|\\w+ing\\b|(?!\\w+ss\\b|focus\\b|canvas\\b)\\w+s\\b|(?!need\\b|embed\\b|feed\\b|seed\\b|proceed\\b)\\w+ed\\b)[a-z]`;
const ORDERS =
  "(?:always|never|only|please|use|run|write|keep|put|add|avoid|ask|check|make|commit|push|test|format|name|prefer|stop|start|give|show|answer|explain|include|leave|treat|stick|skip|let['’]?s|you (?:should|must|need)|i want|i['’]d like|we (?:should|will|use)|don['’]?t|do not|no|all|every|any)";
const HABIT =
  "(?:adding|using|writing|creating|committing|making|putting|explaining|apologi[sz]ing|summari[sz]ing|asking|guessing|assuming|inventing|leaving|touching|reformatting|renaming|mocking|skipping|repeating|ignoring|forgetting|suppressing)";

/** Not this one: what follows is meant in general. */
const GENERAL =
  "(?!this\\b|that\\b|these\\b|those\\b|the\\b|it\\b|its\\b|them\\b|a\\b|an\\b|my\\b|his\\b|her\\b|me\\b|any of\\b|anything\\b|so\\b|another\\b|there\\b|to\\b|yourself\\b)";
/** What instructions are usually about, as many of them or in general. */
const TOPIC =
  "(?:(?:all|every|each|any|new|your|our|my|public|unit|integration|end-to-end|e2e|production|generated|database|error|log|sql|api) )*(?:commit messages?|commits?|tests?|test names?|test files?|branch(?:es| names?)|pull requests?|prs?|pr (?:titles?|descriptions?)|comments?|doc(?:s|strings?| comments?)|documentation|variables?(?: names?)?|functions?(?: names?)?|methods?|class(?:es| names)|components?|types?|interfaces|enums|imports|exports|files?(?: names)?|filenames|names|migrations?|endpoints?|routes|handlers|queries|columns?|tables|messages|logs?|errors|exceptions|dependencies|packages|modules|secrets|answers?|repl(?:y|ies)|responses|explanations|summaries|changelog entries|release notes|dates|timestamps|ids|constants|booleans|env(?:ironment)? vars?|settings|flags|breaking changes|config(?:uration)? (?:files|options|keys)|environment variables|scripts|fixtures|mocks|features?|bug ?fix(?:es)?|code|indentation|diffs|schemas?)";
const PEOPLE_LANGUAGES =
  "(?:(?:british|american|plain|simple|us|uk) )?(?:english|german|french|spanish|portuguese|italian|dutch|polish|chinese|japanese|korean|russian|turkish)";

function family(
  name: Family["name"],
  type: LearningType,
  confidence: number,
  ...patterns: readonly string[]
): Family[] {
  return patterns.map((pattern) => {
    const opening = pattern.startsWith(DONT) ? "do" : /^[a-z]+(?= )/.exec(pattern)?.[0];
    return {
      name,
      type,
      confidence,
      pattern: new RegExp(`^${pattern}`, "i"),
      ...(opening === undefined ? {} : { opening }),
    };
  });
}

/** The first match wins. Tried on the user's own words only, clause by clause. */
export const FAMILIES: readonly Family[] = [
  ...family(
    "standing",
    "pattern",
    0.9,
    `${FROM_NOW}[,:]? +(?<rest>${ORDERS}\\b.*)`,
    `${FROM_NOW}[,:]? +(?<rest>(?!(?:the|this|that|it|its|they|these|those|there|he|she|his|her|i|i['’]ll|we['’]ll|we will|a|an|is|are|will|what|how|why|if)\\b)[a-z].*)`,
    `(?<rest>${ORDERS}\\b.*?),? ${FROM_NOW}[.!]*$`,
    `(?:run|clear|check|discuss|confirm|agree on|coordinate|talk) (?!(?:this|that|it)\\b).{0,60}(?:by|with|past|through) me (?:first|before|prior)\\b.*`,
    `run (?:any|every|all|new|each)\\b.{0,50} (?:by|past) me\\b.*`,
    `(?!(?:this|that|it|the|he|she)\\b).+ (?:needs?|requires?) (?:my|an?|explicit) (?:explicit |prior |written )?(?:ok|okay|approval|sign-?off|permission|go-ahead|confirmation|blessing)\\b.*`,
    `i(?:['’]d like| want| need| would like) to (?:see|approve|review|ok|sign off on|confirm|know about|read) (?!(?:this|that|it|the)\\b).+ before (?:you|anything|any|it)\\b.*`,
    `(?:show|give|send) me (?:a|an|your|the) (?:plan|outline|diff|proposal|summary|list|draft|sketch) (?:first )?before (?:you )?(?:touch|chang|edit|writ|cod|implement|run|mak|start|refactor|commit|do)\\w*.*`,
    `(?:drop|lose|skip|spare me|cut|ditch|enough (?:with|of)|leave out|omit|leave off|no need for) (?:the |your |all |any |those |all the )?(?:\\w+ ){0,2}${FILLER}\\b(?! (?:for|in|of|from) (?:this|that|the)\\b).*`,
    `i (?:really )?${DONT} (?:need|want|care (?:for|about)|read) (?:a |an |the |your |any |to see |all |all the |those )*(?:\\w+ ){0,2}${FILLER}\\b.*`,
    `(?:stop|quit) (?!(?:process|runn|work|respond|load|listen|happen|serv|render|poll|fail)ing\\b)\\w+ing (?!it\\b|this\\b|that\\b|them\\b|these\\b|those\\b|the\\b|so\\b|there\\b|at\\b|here\\b|when\\b|if\\b|after\\b)${THING}.*`,
    `${DONT} (?:name|call|title|prefix|label|use|write|put|create|generate|leave) (?:anything|things|stuff|files|variables|functions|classes|modules|everything)(?! (?:else|yet|here|in (?:this|that)|for (?:this|that))\\b) ${THING}.*`,
    `if there(?:['’]s| is| are)(?: already)? (?:an?|any|some|no) .+, (?:always |please |just |then )*(?:use|run|prefer|reuse|ask|go with|pick|take|${DONT}|stick)\\b.*(?:instead of|rather than|first|me\\b|${DONT}|never|not\\b).*`,
    `(?:one|a single) (?:\\w+ )?(?:commit|pr|pull request|topic|subject|concern|class|component|function|assertion|migration|feature|change|issue)s? (?:per|=|for each|in each) .+`,
    `(?:everything|anything|all (?:code|files|modules|tests)|nothing(?= \\w+ \\S+ (?:must|should|goes|gets|may))|code|files) (?:in|under|inside|below) (?!(?:this|that|the|here)\\b)${THING} (?:is|are|uses?|must|should|has to|have to|goes|stays?|gets|needs?) (?!(?:broken|failing|wrong|missing|gone|fine|empty|old|slow|being|currently|now|still)\\b).+`,
    `(?:in (?:the )?future|next time|for next time)[,:]? +(?<rest>(?!we (?:will|might))${ORDERS}\\b.*)`,
    `(?:always|never(?:,? ever)?),? +${ORDER}`,
    `use the (?!(?:new|old|same|other|first|second|existing|current|latest|right|correct)\\b)\\w+(?: \\w+)?, (?:not|never) .+`,
    `(?:whenever|any ?time|every time) (?!(?:the|this|that|it|i|he|she)\\b)[^,]{4,60}, (?:please |always |just )*(?:${ORDERS}|ask|tell|stop|mention|say|update)\\b.*`,
    `(?:you|claude) (?:must|should|need to|have to|are to|can(?= never)) (?:always|never)\\b`,
    `make sure (?:that )?(?:you |to |we )*(?:always|never)\\b`,
    `(?:try to )?(?:always|never) (?:make sure|be sure)\\b`,
    `${DONT} ever\\b`,
    `${DONT} \\w+ .*\\bagain[.!]*$`,
    `(?:every ?time|each time|whenever|any ?time) you\\b.*,`,
    `(?:before|after) (?:every|each|any) (?:commit|push|change|edit|release|pr|merge|task|session)\\b`,
    `${ORDERS} .*\\b(?:before|after) (?:every|each|any) (?:single )?(?:commit|push|change|edit|release|pr|merge|task|session)\\b`,
    `(?:when|whenever|before|after|if) (?:you\\b|i ask\\b|in doubt\\b|unsure\\b|\\w+ing\\b)[^,]*, (?:please )?(?:always|never)\\b`,
    `${DONT} .*\\b(?:unless|without) (?:i (?:ask|say|tell)|asking|my (?:permission|approval|ok)|being asked|me asking)\\b`,
    `(?:ask|check with|confirm with|consult|warn|tell|notify) (?:me )?(?:first )?before (?:you )?(?!the\\b|that\\b|this\\b|it\\b)\\w+`,
    `(?:wait for my|get my|ask for my) (?:ok|okay|approval|permission|confirmation|go-ahead|review|sign-off)\\b`,
    `only .*\\b(?:when|if|after|once|unless) (?:i|asked|explicitly|told)\\b`,
    `i(?:['’]ve| have)? (?:already )?(?:told|asked) you (?:(?:before|already|many times|several times|twice|repeatedly|a hundred times) )*(?:not to|to|never to|that) (?!me\\b|do (?:this|that|it)\\b|fix\\b|look\\b|check (?:the|this|that)\\b|change the\\b).+`,
    `i (?:really |absolutely )*(?:${DONT}|never) want (?:(?:to see|to have|you to|any|more|your|all|new|extra|unrelated|random) (?!(?:this|that|it|the)\\b).+|${GENERAL}\\w+(?:ing|s)\\b .+)`,
    `(?:there(?:['’]s| is) )?no need to (?:ever )?(?:summari[sz]e|explain|apologi[sz]e|repeat|thank|restate|comment|ask|mention|announce|list|recap|justify|confirm)\\b.*`,
    `you (?:${DONT}|never) (?:need|have) to (?:summari[sz]e|explain|apologi[sz]e|repeat|thank|restate|comment|ask|mention|announce|list|recap|justify|confirm)\\b.*`,
    `by default,? .*\\b${ORDERS}\\b.*`,
    `${ORDERS} .*\\b(?:every|each) (?:single )?time\\b(?! (?:it|the|we|i)\\b).*`,
    `i(?:['’]d like| would like| want| expect) (?!(?:the|this|that|it|a|an|each)\\b)(?:you to )?.*\\b(?:every time|each time|always|whenever you)\\b.*`,
    `(?:when|whenever|if|before|after|once) (?:you(?:['’]re| are)? (?:unsure|in doubt|not sure|stuck|done|finished|add|change|edit|fix|write|create|modify|touch|rename|delete|commit|push|finish|open|update|refactor|implement|introduce|remove|need|make)\\b|in doubt\\b|unsure\\b)(?! (?:this|that|the|it)\\b)[^,]*, ?(?:please |just |then |also )*(?:${ORDERS}|ask|tell|update|say|mention|list|stop)\\b.*`,
    `(?:run|check|test|lint|format|build|type-?check|verify|review|make sure)\\b(?!.*\\b(?:this|that|it|them|these)\\b).*\\bbefore (?:you )?(?:commit|push|open|finish|claim|say|merg|declar|call|report|submit|hand)\\w*\\b.*`,
    `(?:please )?(?:answer|reply|respond|write|talk|speak|explain|comment|communicate)\\b(?!.*\\b(?:this|that|the)\\b).* in ${PEOPLE_LANGUAGES}\\b.*`,
    `(?:if|when|whenever) (?:anything|something) (?:is|seems|looks) (?:unclear|ambiguous|wrong|off|missing)\\b.*`,
    `(?:it(?:['’]s| is) )?(?:very |really )?important (?:to me )?that (?<rest>(?!this\\b|that\\b|it\\b).+)`,
    `${DONT} (?:guess|assume|speculate|improvise|make (?:things|stuff|up)|hallucinate)\\b(?! (?:the|this|that|it)\\b).*`,
    `${DONT} (?:install|add|delete|run|push|publish|deploy|download|log|change|touch|commit|merge|write|store) anything (?!else\\b|yet\\b|here\\b|in (?:this|that)\\b).+`,
    `you (?:can|may|could) (?:skip|omit|drop|leave out|spare me) (?:the|all|any|your) (?:summar(?:y|ies)|explanations?|intro(?:ductions?)?|recaps?|apolog(?:y|ies)|preamble|pleasantries|disclaimers?|emojis?)\\b.*`,
    `leave (?:the )?(?:[\\w./-]+\\.\\w+|lock ?files?|generated (?:files|code)|vendored (?:files|code)|migrations) (?:alone|untouched)\\b.*`,
    `(?:use|write|format|explain|describe|answer|keep|limit|wrap|prefer) (?!this\\b|that\\b|it\\b|the\\b).*\\b(?:everywhere|at most|at least|without exception|consistently|throughout|across the board|no more than|no longer than)\\b.*`,
    `(?:format|test|build|lint|deploy|validate|mock|style|bundle|log|debug) with ${GENERAL}\\S+,? (?:not|instead of|rather than|and not) .+`,
    `(?:please )?(?:use|say|write) (?:the )?(?:word|term|name|spelling|prefix)s? .*\\b(?:never|not|instead of|rather than)\\b.*`,
    `spell out ${GENERAL}.+`,
    `(?:${TOPIC}) (?:come|comes|go|goes) first\\b.*`,
    `(?:${ORDERS}|update|mention|tell|list|rebuild|regenerate|remove|delete|rename)\\b.* (?:when|whenever|if|after|before|once|as soon as) (?:you(?:['’]re| are)? )(?:fix|add|change|edit|touch|create|write|modify|rename|delete|remove|commit|push|finish|refactor|open|done|need|introduce|bump|make|merge|start|unsure|not sure|stuck)\\b(?! (?:this|that|the|it)\\b).*`,
    `(?:when|whenever|if|before|after|once) you(?:['’]re| are)? (?:unsure|in doubt|not sure|stuck|done|finished|add|change|edit|fix|write|create|modify|touch|rename|delete|commit|push|finish|open|update|refactor|implement|introduce|remove|make)\\b(?! (?:this|that|the|it)\\b).*\\b(?:ask|tell|update|say|mention|run|add|use|check|stop|write|keep|put|don['’]?t|do not)\\b.*`,
    `(?:can|could|would|will) you (?:please |just )*(?:stop ${HABIT} (?!this\\b|that\\b|it\\b|the\\b)|(?:from now on|going forward|in (?:the )?future),? |not .*\\b(?:from now on|going forward|in (?:the )?future|ever again)\\b).*`,
    `you (?:keep|kept) (?!(?:the|this|that|it)\\b)\\w+ing (?!this\\b|that\\b|it\\b).+`,
    `i(?:['’]d| would) (?:really )?appreciate (?:it )?if (?<rest>you (?!could (?:fix|look|check|help)).*)`,
    `i(?:['’]d| would)? (?:really )?(?:like|want|expect|need|prefer) (?:to see |to have )?(?:all |every |each |your |my |our )*(?:${TOPIC}) (?:to|in|with|without|that|as|under|short|small|and)\\b(?! (?:the|this|that)\\b).+`,
    `i (?:always )?(?:maintain|write|handle|do|manage|update|review|run|edit|push|merge|commit|release|deploy) .+ (?:myself|by hand|manually|on my own)\\b.*`,
    `(?:talk|speak|write|explain|answer|reply)(?: to me| things)? (?:in|using) (?:plain|simple|short|layman['’]?s?|non-technical|full) .+`,
    `ask (?:me )?(?:first |about it )*(?:when|whenever|if|as soon as) (?!(?:this|that|the)\\b).+ (?:unclear|ambiguous|missing|unsure|not sure|in doubt|contradict\\w*|vague)\\b.*`,
    `(?:can|could|would|will) you (?:please |just |maybe )*(?:stop|quit|avoid) (?!(?:this|that|it|doing)\\b)\\w+ing .*\\b(?:every|each|all|any|after|always|constantly|everywhere|again|so (?:much|many|often))\\b.*`,
    `i ${DONT} want you (?!(?:this|that|it)\\b)\\w+ing (?!(?:this|that|it|the)\\b).+`,
    `(?:get into|make) (?:the|it a|a) habit (?:of|to) .+`,
    `explain (?:things|stuff|concepts|code|everything) .+`,
    `(?:follow|stick to|adhere to|respect) (?:the )?(?:[\\w.'’-]+ ){0,4}(?:style ?guide|guidelines|conventions?|coding standards?|spec|specification|standard)\\b(?! (?:of|for) (?:this|that)\\b).*`,
    `${DONT} (?:ever )?(?:say|write|use|call|mention|repeat) ["'“‘\u0001\u0002].+`,
    `(?:[\\w./-]+ ){1,4}(?:is|are) mine\\b.*`,
    `(?!(?:the|this|that|put|make|use|set|change|convert|write)\\b)(?:[\\w-]+ ){1,3}in ${CASE}\\b.*`,
    `if (?:an?|any|some) (?:tests?|builds?|command|migration|dependency|requirement|task|request|file|function|check|import|type|api) (?:is|are|fails?|needs?|seems?|looks?|takes?|gets?|breaks?|has|does)\\b[^,]*,? (?:always |please |just )*(?:tell|ask|stop|warn|say|${DONT}|report|split|use|let)\\b.*`,
    `(?:can|could|would|will) you (?:please |just |maybe )*(?:stop with|drop|skip|lose|avoid) (?:the |all |your |all the )*(?:\\w+ )?${FILLER}\\b.*`,
    `you(?:['’]re| are) (?:way |far |much |a bit )?too (?:chatty|verbose|wordy|long-winded|polite|eager|terse)\\b.*`,
    `(?:your|the) (?:answers|replies|responses|explanations|summaries|commit messages|comments) are (?:way |far |much |a bit )?too (?:long|verbose|chatty|short|vague|wordy|detailed)\\b.*`,
    `(?:one|two|three|\\d+) (?:paragraphs?|sentences?|lines?|words|bullets?) (?:tops|max|at most|maximum|or less|is enough|are enough|will do)\\b.*`,
    `(?:only|just) (?:do|change|touch|edit|modify|answer|implement) (?:what|exactly what|the (?:lines|files|things)|lines|files) (?:i|you|that|are|is)\\b.*`,
    `do (?:only|exactly|just) what i (?:ask|say|tell|asked|said)\\b.*`,
    `(?:use|write|prefer|keep|follow|stick to|apply) (?!(?:this|that|it|these|those)\\b).+ (?:across|throughout|everywhere in|all over) (?:the|this|our) (?:whole |entire )?(?:project|codebase|code base|repo|code|board|tests)\\b.*`,
    `(?!(?:the|this|that|a|an|i|we|it|you|he|she|they|there|add|remove|fix|check|look|run|update|write|put|search|loop|go|iterate|test)\\b)\\w+(?: \\w+){0,2} (?:on|for|in|with|at the end of|above|before) (?:every|each|all) (?:new |public |single |exported )*(?:functions?|methods?|class(?:es)?|commits?|prs?|files?|modules?|scripts?|tests?|endpoints?|components?|messages?|repl(?:y|ies)|answers?|responses?|migrations?|public apis?)\\b(?!.*\\b(?:is|are|was|were|fails?|failed|passe[sd]|has|have|shows?)\\b).*`,
    `(?:all|any|every|each) (?!(?:of|the|these|those|this|sessions?|users|rows?|requests?|items?|customers?|orders?|buttons?|pages?|events?)\\b)(?:[\\w-]+ ){1,4}(?:go(?:es)? (?:through|into|via|in|under|to)|lives? (?:in|under|next)|belongs? (?:in|to|under)|gets? an?|needs? an?|must (?:have|be|go|use|come)|has to (?:have|be|go)|have to (?:have|be|go)|uses? (?!the (?:same|new|old)))\\b.+`,
    `(?:before|whenever|each time|every time|any time) you (?:start |begin )?(?!(?:do|did) (?:this|that|it)\\b)[^,]{3,60}, (?!(?:it|the|this|that|i|we|they|you|there|he|she|can|could|is|are|does|do you|what|why|how|help|explain|read|look|let['’]?s|answer)\\b)\\w+ .+`,
    `(?:hands off|stay (?:away from|out of)|keep (?:your hands off|away from|out of)) (?!this\\b|that\\b|it\\b).+`,
    `leave (?!this\\b|that\\b|it\\b|them\\b|me\\b|a\\b|an\\b).+ (?:alone|untouched|to me|as is)[.!]*$`,
    `${DONT} bother (?:with |\\w+ing |to )(?!this\\b|that\\b|it\\b|the\\b).+`,
    `${DONT} ask (?:me )?(?:for |to |whether |if |every |about |before )(?!this\\b|that\\b|the\\b).+`,
    `no [\\w-]+ing (?!.*\\b(?:is|are|was|needed|required|found)\\b)(?!this\\b|that\\b|it\\b).+`,
    `(?:assume|you can assume) (?:that )?(?:i|we|nothing|readers|the reader)\\b.+`,
    `(?:short|shorter|concise|brief|briefer|terse|less verbose|fewer|smaller|small) (?:answers|replies|responses|explanations|summaries|comments|commits|commit messages|prs|functions|diffs)\\b.*`,
    `\\w+(?: \\w+)? only (?:in|for|inside) ${GENERAL}.+`,
    `(?!we\\b|i\\b)${ORDERS} .* by default[.!]*$`,
    `(?<rest>${ORDERS}\\b.*?),? (?:next time|in (?:the )?future)[.!]*$`,
  ),
  ...family(
    "standing",
    "pattern",
    0.75,
    `(?:(?:i think )?(?:we|you) (?:should|shouldn['’]?t|${DONT} want|want to)|use|prefer|avoid|keep|write|${DONT}) .*\\b(?:wherever|whenever|where|if) (?:we can(?: help it)?|you can(?: help it)?|possible)[.!]*$`,
    `(?:use|write|prefer|name|document|include|log|return|handle|commit|format|keep|put|indent|validate|squash|wrap|limit|quote|store|separate|group|sort) (?!.*\\b(?:the|this|that|these|those|it|its|them|here|there|a|an|my|his|her|their|now|also|both|one|next|above|below|same|new|old|existing|other|two|three|four|five)\\b|.*,.*,|.*\\d)(?=.*\\b(?!postgres|kubernetes|redis|rails|class|process|access|address|canvas|success|status|progress|alias|css|aws)[a-z]{3,}s\\b)\\S+ \\S+.*`,
    `i (?:almost )?(?:always|never|usually|generally|normally|tend to) (?:use|write|work|commit|squash|rebase|run|name|put|keep|test|deploy|read|review|start|format|merge|push|review)\\b (?!this\\b|that\\b|it\\b).+`,
    `it(?:['’]d| would) be (?:\\w+ )?(?:great|nice|good|better|helpful|cool|best) if (?<rest>you (?:always|never|could always|could stop|stopped|didn['’]?t|only|used|kept|wrote|asked|would always|would stop|ran|avoided)\\b.+)`,
    `we (?:usually|normally|generally|typically|only ever) (?:use|run|write|commit|squash|rebase|merge|push|prefer|review|test|deploy|document|format|lint|name|put|keep|avoid)\\b.+`,
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
    "my (?:preference|preferred \\w+|coding style|style|convention|shell|editor|terminal|name|native language|time ?zone|os|operating system|keyboard layout|pronouns) (?:is|are)\\b",
    `i(?:['’]d| would) (?:much |really )?rather (?:have|see|use|read|write|keep|get|work with) (?!(?:this|that|it|the|you|your)\\b).+`,
    `i(?:['’]m| am) (?:really |more |very much )*(?:of )?an? (?!(?:bit|little|new)\\b).+ (?:person|guy|girl|fan|type)\\b.*`,
    `i(?:['’]m| am) (?:really )?not (?:a (?:big |huge |great )?fan of|keen on|fond of) (?!(?:this|that|it|the|your|these|those)\\b).+`,
    `i (?:favou?r|lean towards?|like my \\w+) (?!(?:this|that|it|the|option|your)\\b).+`,
    `for \\w+(?: \\w+)?,? i (?:always )?prefer (?!(?:this|that|it|the|option|your)\\b).+`,
    `i (?:really |absolutely )*(?:hate|dislike|can['’]?t stand|${DONT} like) ${GENERAL}(?!your\\b|how\\b|what\\b|where\\b|both\\b|option\\b|it\\b)\\w+ .+`,
    `prefer ${GENERAL}\\w.*\\b(?:over|to|instead of|rather than)\\b ?${GENERAL}.*`,
    `(?:default|stick) (?:to|with) (?!this\\b|that\\b|it\\b|the (?:current|old|new|plan|first|second)\\b|option\\b|your\\b).+`,
    `avoid ${GENERAL}\\w+.*`,
    `treat ${GENERAL}\\w+ .*\\bas\\b.+`,
    `keep (?:(?:your|all|the|every|each|my) )*(?:answers?|repl(?:y|ies)|responses|commits|commit messages|functions|prs|pull requests|diffs|explanations|summaries|messages|comments|lines|files|names|components|methods|tests)\\b .*\\b(?:short|small|brief|concise|terse|focused|minimal|simple|under|below|within|shorter|smaller|flat|tidy|readable|to (?:one|two|three|\\d+|a)|max|at most|minimal|in sync|sorted|independent)\\b.*`,
    `be (?:more |very )?(?:concise|brief|terse|direct|blunt|honest)\\b(?! (?:here|this)).*`,
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
    0.8,
    `${PLACE},? (?!(?:is|was|are|there|it|i|you|can|what|how|the (?:bug|error|issue|problem))\\b).*\\b(?:live|lives|go|goes|belong|belongs|use|uses|must|should|are written|is written|start|starts|follow|follows|never|always|only|have|has|needs?|gets?|requires?)\\b.*`,
    `we (?:only |always |never |${DONT} |mostly )*(?:use|write|run|keep|follow|put|name|avoid|require|commit|squash|rebase|deploy|build|format|lint|indent|target|mock|allow|tag|release|document|sort|prefix|store|version|test|merge|review|ship) ${GENERAL}(?!.*\\bbecause\\b)(?:.*\\b(?:here|around here|in (?:this|our) ${REPO}|in this code|on this team|at this company)\\b.*)`,
    `we (?:always |only )?(?:store|keep|use|write|put|send|log|format|name) (?:all|every|everything|dates|times|timestamps|secrets|money|prices|ids)\\b.+`,
    `we (?:${DONT}|never) (?:deploy|release|ship|merge|push) (?:on|to|from|without|before|after|in)\\b.+`,
    `we (?:${DONT}|never) (?:use|write|mock|allow|commit|merge|push|force-push|edit|store|log|test) ${GENERAL}(?!.*\\b(?:yet|because|so|when|if)\\b).+`,
    `we(?:['’]re| are) (?:still |all |stuck )*on \\w+ v?\\d[\\d.]*\\b.*`,
    `(?:it['’]s|we (?:say|write|spell|call it)) ["'“‘\u0001\u0002][^,]{1,40},? (?:not|never|and not|instead of) ["'“‘\u0001\u0002].*`,
    `we(?:['’]re| are) (?:a |an |on |using |all |strictly )(?:\\w+ ){0,2}${TOOL}(?: (?:shop|team|house|codebase|project|only|here|everywhere)\\b.*|[.!,].*|$)`,
    `we(?:['’]ve| have)? (?:standardi[sz]ed on|settled on|agreed (?:on|to|that)|banned|decided (?:to always|never to|against)|switched to|moved (?:away )?(?:to|from)) ${GENERAL}.+`,
    `(?:${TOPIC}) (?:live|lives|sit|sits|are always|is always|are never|is never|are kept|are named|never|always|don['’]?t|do not|only) (?!fail|pass|broken|green).+`,
    `[a-z]+(?: [a-z]+)? (?:over|before) [a-z]+(?: [a-z]+)?, always[.!]*$`,
    `(?:\\w+ ){0,2}${TOOL},? not (?:\\w+ ){0,2}\\w+[.!]*$`,
    `our (?:team |coding |code |naming |commit |house |project['’]?s? )*(?:conventions?|rules?|standards?|styles?|policy|guidelines?|practice|branches|commits|commit messages|tests|migrations|api|apis|endpoints|components) (?:is|are|must|should|follow|follows|start|starts|use|uses|live|lives|go|goes|says?) (?!failing\\b|broken\\b|slow\\b|green\\b|red\\b|flaky\\b|down\\b|not working\\b|passing\\b).+`,
    `${TOPIC} (?:should|must|need(?:s)?|have to|has to|go(?:es)?|belongs?|start(?:s)?|end(?:s)?|stay(?:s)?|get(?:s)?|are written|is written|may|can) (?!be (?:fixed|updated|changed|removed|added|renamed|moved|green|run)\\b|pass\\b|fail\\b|work\\b|now\\b|failing\\b|a (?:new|fresh) id\\b|have been\\b).+`,
    `(?:(?:all|our|your|new|every) )*(?:${TOPIC}|strings?|identifiers|amounts|prices|money|times|durations|units|docs|ui copy|ui texts?|copy|commit (?:subjects?|titles?|bodies)|subjects?|fields|hooks|props|styles|keys|labels|feature flags|indent(?:s|ation)?)(?: and (?:\\w+ ){1,3}?| (?:in|for|of|on) (?:\\S+ ){1,3}?| )(?:are|is|use|uses|look like|looks like|stay|follow|follows) (?:always |never |only |all |written |kept |named |prefixed |indented |in plain )*(?:["'\u0001\u0002]|(?:in (?:british|american|english|german|french|spanish|plain|simple|imperative|present|past|lower|upper|kebab|camel|snake|pascal|title|sentence|iso|utc|si|cents|singular|plural|alphabetical|markdown|the imperative|the present|tests only)|under \\d+|as|with|by|like|next to|singular|plural|lower|upper|kebab|camel|snake|pascal|british|american|english|german|french|imperative|past tense|present tense|si|iso|utc|single|double|tabs|spaces|short|relative|absolute)(?![a-z])).*`,
    `(?:the |our )?(?:house |team |project |company |coding |naming )*(?:rule|convention|policy|standard|agreement|norm) (?:here |in this \\w+ |on this team |for \\w+ )*(?:is|remains)(?: that| to)?[:,]? (?<rest>(?!(?:wrong|broken|not|too|missing|missed|outdated|disabled|fine)\\b).+)`,
    `(?:my|our|the) (?:\\w+ )?(?:convention|rule|preference|style|format|scheme|naming|pattern) (?:for|on|with|in) [^:,]{2,30}: (?!.*\\b(?:is broken|fails)\\b).+`,
    `(?:a |my |personal |strong |small |general )*(?:preference|pet peeve|rule of thumb|guideline|habit)[:,] (?<rest>.+)`,
    `(?!(?:this|that|it|he|she|the)\\b)[\\w./-]+ (?:is|are) (?:banned|forbidden|off limits|not allowed|prohibited|deprecated)(?: here| in this \\w+)?, .+`,
    `we (?:treat|consider|count|regard) (?!(?:this|that|it|the|these|those)\\b).+ as .+`,
    `(?:the team|everyone|everybody)(?: has| have)? (?:agreed|settled|standardi[sz]ed|decided) (?:on|to|that) (?!(?:this|that|it)\\b).+`,
    `(?:house|team|project|company|coding|style|ground) (?:rule|convention|policy|guideline)s?(?: here)?[:,] (?<rest>.+)`,
    `we (?:always|never|only ever|exclusively|strictly) (?!(?:had|have|got|get|see|saw|knew|thought|wanted|needed|were|was|did|found|hit|reach|call|return|been|seem)\\b)\\w+ (?!(?:this|that|it|them|these|those|here|there)\\b).+`,
    `we (?:deploy|release|ship|merge|publish|branch|commit|lint|squash|rebase|format|test|document) (?:only |exclusively |straight )?(?:from|via|through|with|using|on|off|against)\\b (?!(?:this|that|it|these|those)\\b).+`,
    `.+ (?:is|are) (?:strictly |absolutely |completely )?(?:forbidden|banned|off[- ]limits|prohibited|not allowed|mandatory)(?: (?:here|in|for|on|everywhere)\\b.*)?[.!]*$`,
    `(?:name|prefix|sign|tag|title|write|format|start|begin|end|document|sort|group|order|indent|wrap) (?:(?:all|every|each|your|any|new|our) )*(?:branches|branch names|commits?|commit messages?|tests?|files|prs?|pull requests?|pr titles?|pr descriptions|variables|docs|documentation|comments|doc comments|docstrings|answers|changelog entries|imports|functions|migrations|errors|error messages|code|lines|test names|release notes|identifiers|everything)\\b(?! (?:for|of) (?:this|that|the)\\b).+`,
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
    "(?:for (?:future|your) reference|for the future|note for later|just so you know|keep in mind|bear in mind)[,:]? (?:that )?(?<rest>(?!i['’]?m\\b|i am\\b|i (?:just|already)\\b|this\\b|that\\b|it\\b|i will\\b)(?:\\w+ ){2,}.+)",
    "i (?:work|develop|code|program|am|live) (?:on|in|with|from|under) (?:a )?(?:windows|mac(?:os)?|linux|ubuntu|wsl|powershell|vim|neovim|emacs|vs ?code|nixos)\\b.*",
    "i(?:['’]m| am) (?:on|using|running|working on) (?:a )?(?:windows|mac(?:os)?|linux|ubuntu|debian|arch|nixos|fedora|wsl|fish|zsh|vim|neovim|emacs)\\b.*",
    "i(?:['’]m| am) (?:new to|a (?:complete |total )?beginner|not (?:very )?familiar with|fluent in|colou?r-?blind|dyslexic|left-handed|a (?:\\w+ )?(?:developer|designer|engineer|data scientist|student|researcher))\\b.*",
    "i (?:don['’]?t|do not) (?:know|speak|read) (?:any |much )?(?:rust|go|python|java|javascript|typescript|c\\+\\+|sql|german|french|spanish|english|japanese|chinese)\\b.*",
    "call me (?!back\\b|when\\b|if\\b|crazy\\b|stupid\\b)\\w+[.!]*$",
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
    `(?:stop|quit) ${HABIT} (?!it\\b|this\\b|that\\b|them\\b|these\\b|those\\b|so\\b)\\w+`,
    `use ${GENERAL}${THING}(?: ${THING}){0,5}?,? (?:not|instead of|rather than|and not|over) ${GENERAL}(?!(?:just|only|yet|sure)\\b)${THING}(?: ${THING}){0,4}[.!]*$`,
    `${DONT} (?:ever )?(?:add|use|write|create|put|leave|include|mock|commit|push|touch|edit|generate|install|run|rename|reformat|guess|assume|invent|make up|over-?engineer|amend|force[- ]push|squash|import|log|print|hard-?code|disable|skip|ignore|swallow|catch|suppress|introduce|rewrite|modify|refactor|abbreviate|nest|repeat|change|open|start|bump|mix|rely on) ${GENERAL}(?!without\\b)(?!(?:tests|comments|files|changes|more|code|docs|too|both|one|two|new tests|anything)[.!]*$)(?!.*\\b(?:for|in|to|from|on) (?:the|this|that|it)\\b(?! (?:code|repo|codebase|project|docs|main branch|tests|browser|production database|user|database)\\b))\\w+.*`,
    `${DONT} (?:apologi[sz]e|summari[sz]e|praise|flatter|thank me|repeat yourself|restate|moralize|lecture)\\b(?! (?:this|that|the|it)\\b).*`,
    `no (?:more )?(?!.*\\b(?:found|needed|available|required)\\b)(?!.* (?:for|in|on) (?:the|this|that|these|those)\\b(?! (?:code|repo|codebase|project|docs|tests|comments|ui|commit|name|title|main branch|database|browser)\\b))(?!(?:problem|existing|behaviou?r|actual|further|corresponding|logging|dead|idea|worries|luck|thanks?|need|way|reason|rush|difference|changes?|one|errors?|matter|doubt|tests? (?:fail|yet)|longer|results?|output|response|clue|success|effect)\\b)[a-z0-9.-]+(?: [a-z0-9.-]+){0,3}? (?:in|on|for|inside|within|without|ever|anywhere|at all|please|unless|except)\\b(?!.*\\b(?:is|are|was|were|found|needed|yet|exist|exists)\\b).*`,
    `no more ${GENERAL}(?!(?:errors?|questions?|changes?)\\b)[\\w.-]+.*`,
  ),
];

/** A last clause by which what stands before it is meant to last. */
export const LASTS: Family = {
  name: "correction",
  type: "pattern",
  confidence: 0.8,
  pattern:
    /(?:^|[,;:.–—(]\s*|\s-\s+)(?:(?:so |and |please |ok,? )*(?:(?:please )?(?:remember|memori[sz]e|internali[sz]e) (?:that|this|it)|(?:keep|bear) (?:that|this|it) in mind|make (?:that|this) a habit|(?:that|this|it)(?:['’]s| is) (?:a |the |our |my )?(?:(?:house|team|project|company|general|standing|firm|hard) )*(?:rule|convention|policy|standard|preference)(?: (?:here|in this \w+|on this team|for everything|at \w+))?|(?:a )?(?:house|team|project|company|standing|general) (?:rule|policy|convention)|(?:that|this|it) (?:goes|holds|applies) (?:for (?:everything|all|every|any)\b[^,.]{0,30}|everywhere|always|in general|generally|to (?:everything|all|every|any)\b[^,.]{0,30})|(?:that|this)(?:['’]s| is) how we (?:do|work|roll|write|name)[^,.]{0,30}|(?:same )?for (?:all|every) (?:future )?(?:\w+ )?(?:commits?|prs?|tasks?|sessions?|projects?)|as a (?:general )?rule|always|(?:this|that)(?:['’]s| is) (?:already |now )?the \w+ time(?: i[^,.]{0,30})?|every (?:single )?time|without exception|no exceptions?|make (?:that|this|it) (?:the|your) default))[\s.!)]*$/i,
};

/** Only after "for the third time" and the like: what follows is meant in general, however it is said. */
export const AFTER_REPEATING: readonly Family[] = family(
  "correction",
  "pattern",
  0.8,
  `(?!(?:why|what|how|where|is|are|can|could|i|it|this|that|he|she|they|there)\\b)\\w+(?: |['’]).+`,
);

/** Only after a "no": without it, the same words describe how to do a task and correct nothing. */
export const AFTER_NO: readonly Family[] = family(
  "correction",
  "pattern",
  0.8,
  `(?:please )?(?:use|run|do it with|go with) (?:\\w+ ){0,1}${TOOL}(?! (?:version|v?\\d))`,
);

/** Only after "again": whoever repeats something means it in general. */
export const AFTER_AGAIN: readonly Family[] = family(
  "correction",
  "pattern",
  0.8,
  `(?:no|${DONT}|only|use|please|stop|never|always) (?!problem\\b|idea\\b|worries\\b|the\\b|this\\b|that\\b|it\\b)\\w+.*`,
);

/** Too weak alone: an instruction that sets a limit or a means. If it comes up in several sessions, it is a standing one. */
export const WEAK: readonly Family[] = family(
  "repeated",
  "pattern",
  0.75,
  `(?:please )?(?:${DONT}|avoid|never|only|use|make sure|keep)\\b`,
  `(?:please )?(?:run|write|add|check|ask|commit|test|format)\\b.*\\b(?:first|before|after|without|instead of|with|only)\\b`,
);
