import { jsonForTerminal } from "../../../base/for-terminal.ts";
import type { Check, FilePatterns } from "../rule.ts";

/** A piece of a description: Continuo's words, or what the check's author wrote. */
export type Part = string | { readonly pattern: string } | { readonly text: string };

/** What a check is about, in a few words to show. The author's texts are unchanged. */
export function describeCheck(check: Check): string {
  return partsOf(check)
    .map((part) => (typeof part === "string" ? part : "text" in part ? part.text : `/${part.pattern}/`))
    .join("");
}

/** The same with the author's texts as separate parts, so that they can be set off. */
export function partsOf(check: Check): Part[] {
  switch (check.on) {
    case "edits": {
      const [word, pattern] =
        check.never === undefined ? ["must add", check.must ?? ""] : ["must not add", check.never];
      const what = check.isNewOnly ? "new files" : "edits";
      return [what, ...of(check.files), ` ${word} `, { pattern }, ...except(check.except)];
    }
    case "commands":
      return check.ran === undefined
        ? [
            check.reaction === "ask"
              ? "commands need your consent if they match "
              : "commands must not match ",
            { pattern: check.match },
            ...except(check.except),
          ]
        : [
            "commands that match ",
            { pattern: check.match },
            ...except(check.except),
            " only after ",
            { pattern: check.ran },
          ];
    case "done": {
      const files =
        check.files.include.length === 0 ? [] : [", if files", ...of(check.files), " were edited"];
      return ["done only after ", { pattern: check.ran }, ...files];
    }
    case "answer":
      return check.never === undefined
        ? ["the answer must have ", { pattern: check.must ?? "" }]
        : ["the answer must not have ", { pattern: check.never }];
    case "run":
      return ["runs ", { text: shownCommand(check.command) }, " on changed files", ...of(check.files)];
    case "calls":
      return check.pattern === undefined
        ? ["no calls of ", { text: check.tools.join(", ") }]
        : ["calls of ", { text: check.tools.join(", ") }, " must not match ", { pattern: check.pattern }];
  }
}

function of({ include, exclude }: FilePatterns): Part[] {
  return [...named(" of ", include), ...named(" but not ", exclude)];
}

function named(word: string, patterns: FilePatterns["include"]): Part[] {
  const text = [...new Set(patterns.map((one) => one.text))].join(", ");
  return text === "" ? [] : [word, { text }];
}

function except(pattern: string | undefined): Part[] {
  return pattern === undefined ? [] : [" except ", { pattern }];
}

/** A command as a user would type it. Invisible or confusable characters are shown as escapes. */
export function shownCommand(words: readonly string[]): string {
  return words.map(shownWord).join(" ");
}

function shownWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /^[\x20-\x7e]*$/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : escaped(word);
}

function escaped(word: string): string {
  return jsonForTerminal(word).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
