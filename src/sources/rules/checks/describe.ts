import { shownCommand } from "../run/runs.ts";
import type { Check, FilePatterns } from "./check.ts";

/** What a check is about, in a few words for a person. Texts of its author are as they were found. */
export function describeCheck(check: Check): string {
  switch (check.on) {
    case "edits": {
      const what = check.isNewOnly ? "new files" : "edits";
      const action = check.never === undefined ? `must add /${check.must}/` : `must not add /${check.never}/`;
      return `${what}${of(check.files)} ${action}${except(check.except)}`;
    }
    case "commands":
      return check.ran === undefined
        ? check.reaction === "ask"
          ? `command /${check.match}/${except(check.except)} only if you agree`
          : `no command /${check.match}/${except(check.except)}`
        : `command /${check.match}/${except(check.except)} only after /${check.ran}/`;
    case "done":
      return `done only after /${check.ran}/${check.files.include.length === 0 ? "" : `, if files${of(check.files)} were edited`}`;
    case "answer":
      return check.never === undefined
        ? `the answer must have /${check.must}/`
        : `the answer must not have /${check.never}/`;
    case "run":
      return `runs ${shownCommand(check.command)} on changed files${of(check.files)}`;
    case "calls":
      return `${check.tools.join(", ")}${check.pattern === undefined ? "" : ` when /${check.pattern}/`}`;
  }
}

function of({ include, exclude }: FilePatterns): string {
  const [wanted, not] = [include, exclude].map((all) => [...new Set(all.map(({ text }) => text))].join(", "));
  return `${wanted === "" ? "" : ` of ${wanted}`}${not === "" ? "" : ` but not ${not}`}`;
}

function except(pattern: string | undefined): string {
  return pattern === undefined ? "" : ` except /${pattern}/`;
}
