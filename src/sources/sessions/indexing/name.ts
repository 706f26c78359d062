import {
  cutName as cut,
  MOST_OF_A_NAME as MOST_CHARACTERS,
  plainLine,
} from "../../../moments/state/session-name.ts";
import { withoutReferences } from "../references.ts";
import { type Clause, clausesOf, tellingOf } from "./telling.ts";

/** Openings and spaces included. */
const MOST_OF_A_CLAUSE = 600;
/** A less informative request could be any session's, so its topic is added. */
const ENOUGH = 3;
/** A request less informative than this is replaced by a clause at least this informative. */
const LEAST = 1;
const ENOUGH_INSTEAD = 4;
/** The minimum space for the words of the request when something is added. */
const LEAST_OF_A_REQUEST = 30;

/** Openings of requests, such as politeness, that a name does not need. */
const OPENING =
  /^(?:(?:ok(?:ay)?|alright|all right|hey|hi|hello|please|well|great|cool|thanks|so|now|hmm+|yes|yeah|no|and|but|also|then|first|maybe|can you|could you|would you|will you|can we|could we|should we|let'?s|i think|i guess|i want you to|i(?:'d| would) like (?:you |us )?to|i(?:'d| would) like|i want to|i need you to|i need to|we need to|we should|have a look at|take a look at|let me know|tell me(?: again)?|help me understand(?: again)?|implement the following plan|plan|task|goal)\b[\s,.!:–-]*)+/i;
/** Words that a name should not end with. */
const DANGLING =
  /(?:[\s,;:–-]+(?:and|or|but|then|the|a|an|of|to|in|for|with|that|is|as|at|on|from|by|if|can|we|it|this|which|when|so))*[\s,;:(–-]*$/i;

/** What a name is derived from. */
export interface NameParts {
  readonly requests: readonly string[];
  readonly branch?: string | undefined;
  /** Subjects of commits that were made in the session. */
  readonly commits?: readonly string[];
  /** Edited files, last edited first. */
  readonly edited?: readonly string[];
}

/** Later requests go into details, so only these may provide the name. */
const MOST_REQUESTS = 6;

/**
 * A name derived from what was asked and done; undefined if nothing is informative. The first clause of the first
 * request is the name if it is informative enough. If it is only a little informative, the branch or a file is added.
 * Otherwise, something more informative comes first: the rest of the request, a commit, a later request.
 */
export function makeName(parts: NameParts): string | undefined {
  const requests = parts.requests.map(withoutReferences);
  const asked = clausesByRequest(requests);
  const [first, ...rest] = asked[0] ?? [];
  const request = first?.text ?? requests.map(plainLine).find((line) => line !== "" && !isBareCommand(line));
  const telling = first?.telling ?? 0;
  if (first !== undefined && telling >= ENOUGH) return shortName(first.text, MOST_CHARACTERS);
  const branch = added(branchTopic(parts.branch), request);
  const file = added(fileTopic(parts.edited ?? []), request);
  if (telling < LEAST) {
    const instead =
      mostTelling(rest) ??
      parts.commits?.find((subject) => tellingOf(subject) >= ENOUGH) ??
      (branch === undefined ? mostTelling(asked.slice(1).flat()) : undefined);
    if (instead !== undefined) return shortName(instead, MOST_CHARACTERS);
  }
  const topic = branch ?? file;
  if (request === undefined) return topic === undefined ? undefined : cut(topic);
  if (topic === undefined) return shortName(request, MOST_CHARACTERS);
  const room = Math.max(LEAST_OF_A_REQUEST, MOST_CHARACTERS - topic.length - 3);
  return cut(`${shortName(request, room)} (${topic})`);
}

function clausesByRequest(requests: readonly string[]): Clause[][] {
  const found: Clause[][] = [];
  for (const request of requests) {
    const clauses = clausesOf(request, (text) => beginning(text, MOST_CHARACTERS));
    if (clauses.length > 0) found.push(clauses);
    if (found.length === MOST_REQUESTS) break;
  }
  return found;
}

/** The first clause informative enough to replace a request that is not. */
function mostTelling(clauses: readonly Clause[]): string | undefined {
  return clauses.find(({ telling }) => telling >= ENOUGH_INSTEAD)?.text;
}

/** A topic, if the request does not name it already. */
function added(topic: string | undefined, request = ""): string | undefined {
  const known = new Set(request.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const isNew = topic
    ?.toLowerCase()
    .match(/[\p{L}\p{N}]{3,}/gu)
    ?.some((word) => !known.has(word));
  return isNew === true ? topic : undefined;
}

/** A branch without its author and its kind of change. Main branches and commit ids are not informative. */
export function branchTopic(branch: string | undefined): string | undefined {
  const topic =
    plainLine((branch ?? "").slice(0, MOST_OF_A_CLAUSE))
      .split("/")
      .at(-1) ?? "";
  if (/^(?:main|master|develop|dev|trunk|head|next|release|staging|production|[0-9a-f]{7,40})?$/i.test(topic))
    return undefined;
  return topic.length > 50 ? `${topic.slice(0, 49).replace(/[-_][^-_]*$/, "")}…` : topic;
}

/** Tests follow code, and documents and settings follow both. */
const TEST = /(?:^|[/._-])(?:tests?|specs?|fixtures?)(?:[/._-]|$)/i;
const BESIDE = /(?:^|\/)docs?\/|\.(?:md|mdx|txt|json|ya?ml|toml|lock)$/i;

function fileTopic(edited: readonly string[]): string | undefined {
  const path = [BESIDE, TEST].reduce(without, edited)[0];
  return path === undefined
    ? undefined
    : plainLine(path.slice(-MOST_OF_A_CLAUSE)).replaceAll("\\", "/").split("/").at(-1);
}

/** The files that are not of a kind, if there are others. */
function without(files: readonly string[], kind: RegExp): readonly string[] {
  const others = files.filter((path) => !kind.test(path));
  return others.length > 0 ? others : files;
}

/** The beginning of a clause without Markdown, in at most this many characters. */
function shortName(clause: string, room: number): string {
  const name = beginning(clause.replace(/[#*`]+/g, " "), room);
  return cut(name.replace(/^\p{Ll}(?![\p{L}\p{N}]*[\p{Lu}_.(])/u, (letter) => letter.toUpperCase()));
}

function beginning(clause: string, room: number): string {
  const plain = withoutOpening(plainLine(clause.slice(0, MOST_OF_A_CLAUSE))).replace(/[?!.:;,]+$/, "");
  const words = plain.split(" ");
  const first = words.slice(0, roomFor(words, room));
  return first.length === words.length ? plain : `${beginningOf(first)} …`;
}

/** A command alone is not informative; text after it is. */
function isBareCommand(line: string): boolean {
  return /^\/\S*$/.test(line.trim());
}

/** How many of the words fit into a name; at least one. */
function roomFor(words: readonly string[], room: number): number {
  let length = -1;
  const over = words.findIndex((word) => {
    length += word.length + 1;
    return length > room - 2;
  });
  return over === -1 ? words.length : Math.max(1, over);
}

/** Up to a comma, if there is one near the end; without a parenthesis that is not closed. */
function beginningOf(words: readonly string[]): string {
  const clause = words.findLastIndex((word, at) => at >= words.length * 0.7 && word.endsWith(","));
  return (clause === -1 ? words : words.slice(0, clause + 1))
    .join(" ")
    .replace(/\([^()]*$/, "")
    .replace(DANGLING, "");
}

/** Removes the opening, unless little else is left. */
function withoutOpening(line: string): string {
  const rest = line.replace(OPENING, "");
  return rest.split(" ").length >= 3 ? rest : line;
}
