import { oneLine } from "../../../base/for-terminal.ts";
import { clip, clipWithin, collapse } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import { redact } from "../../../store/redact.ts";
import type { Check } from "../rule.ts";
import { type Breach, MAX_BREACH_TEXT } from "./breach.ts";

/** How much is shown of an offending line, of a path, and of an author's text. */
const MAX_TEXT = 160;
const MAX_PATH = 200;
const MAX_WORDS = 300;
const MAX_NAME = 100;

/** Redacting needs the text around a secret, but not all of a line that may have megabytes. */
const MAX_READ = 4000;

/** Before a call, with its result, or at the next prompt. */
export type Tense = "would break" | "breaks" | "broke";

/**
 * A line about a breach, for the model or the user: place, rule, text, and the author's explanation. Contains no
 * secrets and no line breaks; the code that shows it escapes it for its output.
 */
export function lineOf(breach: Breach, check: Check | undefined, tense: Tense, more = 0): string {
  const what = [shownText(breach.text), neededBy(breach, check)].filter((one) => one !== "").join(" ");
  const notes = [
    ...(breach.isUnknown === true ? [`${tooLong(breach)} to be checked`] : []),
    ...(breach.message === undefined ? [] : [words(breach.message)]),
    ...(more > 0 ? [`and ${count(more, "more place")}`] : []),
  ];
  const rule = `the rule "${nameOf(breach)}"`;
  return [
    breach.on === "run"
      ? `the command of ${rule} found problems`
      : `${whereOf(breach, tense)} ${tense} ${rule}`,
    what === "" ? "" : `: ${what}`,
    notes.length === 0 ? "" : ` (${notes.join("; ")})`,
  ].join("");
}

/** Why a call or a stop is refused: the author's message, or else the first line of the rule's text. */
export function refusalOf(
  breach: Breach,
  check: Check | undefined,
  tense: Tense,
  textOf: () => string,
): string {
  const line = breach.message === undefined ? firstLine(textOf()) : "";
  return lineOf(line === "" ? breach : { ...breach, message: line }, check, tense);
}

/** Why a check could not examine everything. */
export function tooLong({ on }: Pick<Breach, "on">): string {
  return on === "commands" ? "too long, too deep or too unusual" : "too long";
}

function firstLine(text: string): string {
  const line =
    text
      .slice(0, MAX_READ)
      .split("\n")
      .find((one) => /[^\s#*_-]/.test(one)) ?? "";
  return words(redact(line.replace(/^[\s#*>-]+/, "")));
}

/** How much of the offending text the ledger stores. */
export function recordedText({ text }: Pick<Breach, "text">): string {
  return shownText(text);
}

/** For the place where a host shows lines to the user. */
export function forPerson(line: string): string {
  return `Continuo: ${oneLine(line)}`;
}

export function nameOf({ name }: Pick<Breach, "name">): string {
  // Shown in quotes: a name must not close them and go on like Continuo's words.
  return clipWithin(words(name), MAX_NAME).replaceAll('"', "'");
}

/** Where a breach is, in a few words. */
function whereOf({ on, path, line }: Breach, tense: Tense): string {
  if (path !== undefined)
    return `${clipWithin(collapse(redact(path.slice(0, MAX_READ))), MAX_PATH)}${line === undefined ? "" : `:${line}`}`;
  switch (on) {
    case "commands":
      return "the command";
    case "calls":
      return "the call";
    case "answer":
      return "the answer";
    case "done":
      return tense === "broke" ? "the last stop" : "stopping here";
    default:
      return "the edit";
  }
}

function shownText(text: string): string {
  const shown = collapse(redact(text.slice(0, MAX_READ)));
  // If cutting makes a text this short, its last word is visible, and may be part of a secret.
  const isEndSeen = text.length >= MAX_BREACH_TEXT && shown.length <= MAX_TEXT;
  return clip(isEndSeen ? shown.replace(/[^\s\]]+$/, "") : shown, MAX_TEXT);
}

/** `npm test | tail` succeeds whenever `tail` does. */
const HIDDEN = "; its result is hidden by the pipe or by the command after it: run it alone";

/** What is missing, for a breach without an offending text. */
function neededBy({ text, isHidden }: Breach, check: Check | undefined): string {
  if (check === undefined) return "";
  if ((check.on === "done" || check.on === "commands") && check.ran !== undefined)
    return `needs a successful "${words(check.ran)}" after the last edit${isHidden === true ? HIDDEN : ""}`;
  if ((check.on === "edits" || check.on === "answer") && check.must !== undefined && text === "")
    return `nothing matches "${words(check.must)}"`;
  return "";
}

function words(text: string): string {
  return clipWithin(collapse(text.slice(0, MAX_READ)), MAX_WORDS);
}
