import { oneLine } from "../../../base/for-terminal.ts";
import { clip, clipWithin, collapse } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import { redact } from "../../../store/redact.ts";
import type { Check } from "../rule.ts";
import { type Breach, MAX_BREACH_TEXT } from "./breach.ts";

/** How much of an offending line is shown, of a path, and of what a rule's author wrote. */
const MAX_TEXT = 160;
const MAX_PATH = 200;
const MAX_WORDS = 300;
const MAX_NAME = 100;

/** Redacting needs what surrounds a secret, but not all of a line that may have megabytes. */
const MAX_READ = 4000;

/** Before a call, with its result, or at the next prompt. */
export type Tense = "would break" | "breaks" | "broke";

/**
 * One line about a breach, for the model or the person: where, which rule, what, and what its author says about it. It has
 * no secrets and no line ends; whoever shows it escapes it for the place where it is shown.
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

/** Why a call or a stop is refused: where its author says nothing about it, the first line of the rule's text. */
export function refusalOf(
  breach: Breach,
  check: Check | undefined,
  tense: Tense,
  textOf: () => string,
): string {
  const line = breach.message === undefined ? firstLine(textOf()) : "";
  return lineOf(line === "" ? breach : { ...breach, message: line }, check, tense);
}

/** Why a check could not look at everything. */
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

/** What the ledger keeps of the offending text. */
export function recordedText({ text }: Pick<Breach, "text">): string {
  return shownText(text);
}

/** For a host's place for lines to the person. */
export function forPerson(line: string): string {
  return `Continuo: ${oneLine(line)}`;
}

export function nameOf({ name }: Pick<Breach, "name">): string {
  // It is shown in quotes: a name must not end them and go on as if the rest were Continuo's words.
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
  // If a text that was cut becomes so short, its last word would be seen, which can be a part of a secret.
  const isEndSeen = text.length >= MAX_BREACH_TEXT && shown.length <= MAX_TEXT;
  return clip(isEndSeen ? shown.replace(/[^\s\]]+$/, "") : shown, MAX_TEXT);
}

/** `npm test | tail` succeeds whenever `tail` does. */
const HIDDEN = "; its result is hidden by the pipe or by the command after it: run it alone";

/** What is missing: a breach has no text for it. */
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
