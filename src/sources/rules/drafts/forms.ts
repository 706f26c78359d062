import { LANGUAGE, SAID } from "./code-words.ts";
import { BARE_COMMAND } from "./command-words.ts";

/**
 * Forms in which users forbid something. Each is matched from the beginning of a clause; `items` captures what is
 * forbidden, and what follows must not limit it (`tail.ts`).
 */
export interface Form {
  readonly kind: "use" | "run" | "before" | "say";
  readonly pattern: RegExp;
}

const CODE = "\u0001\\d+\u0001";
const QUOTE = "\u0002\\d+\u0002";
const DONT = "(?:do not|don['’]?t|dont|must not|mustn['’]?t|should not|shouldn['’]?t|may not)";
/** Before a base form: "never use", "you must never use", "I told you not to use". */
const NEVER = `(?:(?:you |we |agents? )?(?:must |should )?never(?: ever)?|(?:you |we )?${DONT}(?: ever)?|not to|to never|to not|do NOT)`;
const USE = "(?:use|write|add|introduce|call|import|set|insert|leave|include|rely on|reach for|commit)";
const USING =
  "(?:using|writing|adding|introducing|calling|importing|inserting|leaving|including|relying on|committing)";
const ITEM = `(?:the |an? |any |raw |plain |explicit |bare )?(?:${CODE}|${QUOTE}|(?:${SAID}|[A-Za-z_]\\w*\\(\\))(?![\\w-]))`;
const ITEMS = `(?<items>${ITEM}(?:(?:,? (?:or|and|nor) |, |\\/)${ITEM}){0,5})`;
const RUN = "(?:run|execute|invoke|use|call)";
const COMMAND = `(?:${CODE}|${QUOTE}|${BARE_COMMAND})`;
const COMMANDS = `(?<items>${COMMAND}(?:(?:,? (?:or|and|nor) |, )${COMMAND}){0,3})`;
const WHEN = `(?<when>(?:you |every |each |any |a |the |your |making a |creating a |opening a |saying |say |claiming |claim |reporting |declaring |marking |telling me |that |it(?:['’]s| is) |you(?:['’]re| are) |i |we )*(?:commits?|committing|push(?:es|ing)?|done|finish(?:ing|ed)?|complet(?:e|ed|ing|ion)|pull requests?|prs?)\\b(?: (?:a|the|any|your) (?:task|work|pr|pull request)| (?:changes|code|anything|is done|done))?)`;

const at = (pattern: string) => new RegExp(`^${pattern}`, "i");

export const FORMS: readonly Form[] = [
  {
    kind: "say",
    pattern: at(
      `(?:${NEVER} (?:say|write|answer with|reply with|tell me)|stop (?:saying|writing)|${NEVER} (?:begin|start|open|end|close)(?: (?:your|any|an|the))?(?: (?:answers?|repl(?:y|ies)|responses?|messages?))? with) (?<items>${QUOTE}(?:(?:,? (?:or|and) |, )${QUOTE}){0,5})`,
    ),
  },
  {
    kind: "before",
    pattern: at(
      `(?:(?:please |you must |you should |make sure (?:to|you) |remember to |to )?(?:always )?(?:run|execute) |${CODE} must (?:pass|be run) )${COMMANDS}(?: (?:and|to) (?:make sure|ensure|check|verify) [\\w' ]{1,40}| successfully)? before ${WHEN}`,
    ),
  },
  {
    kind: "before",
    pattern: at(
      `(?:${NEVER}) (?<when>commit|push|say (?:that )?(?:you(?:['’]re| are)|it(?:['’]s| is)) done|finish|open a (?:pr|pull request)|create a (?:pr|pull request))(?: (?:anything|code|changes|your work))? (?:without|before) (?:first |having )?(?:running|run|executing|executed) ${COMMANDS}(?: first)?`,
    ),
  },
  {
    kind: "run",
    pattern: at(
      `(?:${NEVER} (?:ever )?${RUN}|(?:avoid|stop) (?:running|executing|using|calling)) ${COMMANDS}`,
    ),
  },
  {
    kind: "use",
    pattern: at(
      `(?:${NEVER} (?<verb>${USE})|(?:avoid|stop|quit)(?: the use of| (?<doing>${USING}))|(?:i said |i want )?no more|no|avoid|never(?= \\u0001)|without|forbidden:|banned:) ${ITEMS}`,
    ),
  },
];

/** Introductions before the actual sentence. Whether they limit it is decided in `tail.ts`. */
export const LEAD =
  /^(?:(?:ok(?:ay)?|no(?=\s*[,.!;:])|nope|yes|hey|so|and|but|also|please|pls|again|just|always|important|note|rule|remember|as i said|like i said|for the \w+ time|from now on|going forward|in future|i(?:['’]ve| have)?(?: already)? (?:told|asked) you(?: (?:before|already|many times|twice|a (?:hundred|thousand|million) times))*|i(?:['’]ve| have)?(?: already)? said|how (?:often|many times) (?:do|did|must|should) i (?:have to |need to )?(?:say|tell you|repeat)(?: (?:this|it|that))?)(?![\w'’-])[\s,.:;!–—-]*)+/i;

/** "In TypeScript, never use …" */
export const IN_LANGUAGE = new RegExp(`^(?:in|for|with) (${LANGUAGE})(?: code| files| projects)?,? `, "i");

/** A folder after the items. Without a slash or the word "folder", only unambiguous names count. */
export const IN_FOLDER =
  /^\s+(?:in|inside|under|within) (?:the )?(?:\u0001(?<code>\d+)\u0001(?: (?:folder|directory))?|(?<path>(?:\.\/)?[\w-]+\/(?:[\w/-]*[\w/])?)(?: (?:folder|directory))?|(?<name>\w[\w-]*) (?:folder|directory)|(?<named>src|lib))(?![\w-])/i;

/** Words after the items that change nothing. */
export const NOUNS = new RegExp(
  `^(?:\\s+(?:types?|keywords?|functions?|statements?|calls?|operators?|imports?|exports?|assertions?|methods?|annotations?|attributes?|comments?|hooks?|syntax|declarations?|expressions?|macros?|casts?|directives?|decorators?|blocks?|modifiers?|selectors?|commands?|directly|anywhere|at all|ever|again|any ?more|please|here|yourself|for (?:typing|types|logging|debugging)|in (?:this|our|the|my) (?:repo|repository|project|code ?base|code)|in (?:code|committed code|any code)|in (?<language>${LANGUAGE})(?: code| files)?))*`,
  "i",
);
