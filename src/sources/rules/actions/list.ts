import { oneLine } from "../../../base/for-terminal.ts";
import { fields } from "../../../moments/actions/fields.ts";
import { undoCommand } from "../../../moments/mutes/scope.ts";
import { action } from "../../../moments/ports/action.ts";
import type { Block, Look, Shown } from "../../../moments/ports/view.ts";
import { shortPaths } from "../../../moments/project/short-paths.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import { readMutes } from "../../../store/mutes.ts";
import { readTrust, type Trust } from "../../../store/trust.ts";
import { leftOutChecks } from "../checks/left-out.ts";
import { type JudgedRules, mutedText, type RuleState, stateOf, summary } from "../judge.ts";
import { ruleArgument } from "../rule-argument.ts";
import { runsOf, waitingRuns } from "../run/runs.ts";
import { runLines } from "../run/shown-runs.ts";
import { checksToTrust, haveChanged } from "../trusted-checks.ts";
import { noRulesText } from "./choose-rule.ts";
import { IMAGINED, judgeFor, shownFor } from "./imagined.ts";

/** The rules of a project and whether a session gets them. */
export const list = action({
  name: "rules list",
  about: "list the rules and whether they apply",
  guide:
    "Shows what a new session in this folder would get. Some rules apply only to certain files, words or branches: use the options to simulate them.",
  effect: "reads",
  input: fields(IMAGINED),
  examples: [
    ["continuo rules list", "list the rules of this project"],
    ["continuo rules list --path lib/cart.ts", "show which apply once a file is read, edited or mentioned"],
    ['continuo rules list --prompt "write a migration"', "show which apply to a prompt"],
  ],
  async run(input, place) {
    const found = await judgeFor(input, place);
    const { project, judged, leftOut } = found;
    const noRoom = new Set(leftOut.map(({ rule }) => rule));
    const muted = mutedAt(readMutes(place.home).mutes, { project: project.id });
    const rows = judged.map((one) => {
      const mute = muted?.of("rules", one.rule.file.key);
      const isLeftOut = noRoom.has(one.rule);
      return { ...one, mute, isLeftOut, state: stateOf(one, mute !== undefined, isLeftOut) };
    });
    const missing = (await (await place.others?.())?.missingGuards()) ?? [];
    return { found, rows, missing, trust: readTrust(place.home), shownFor: shownFor(input) };
  },
  json: ({ found: { project, catalog }, rows }) => ({
    project: project.root,
    rules: rows.map((one) => ({ ...summary(one), leftOut: one.isLeftOut, muted: one.mute !== undefined })),
    refused: catalog.rejects.map(({ path, code, message }) => ({ path, code, message })),
    repeated: catalog.repeated.map(({ file, by }) => ({ path: file.path, by: by.path })),
    pending: catalog.pending.map(({ path }) => path),
  }),
  view({ found, rows, missing, trust, shownFor }, shown) {
    const { project, catalog } = found;
    if (rows.length + catalog.rejects.length === 0) return [noRulesText(project.root, shown.env)];
    const waits = rows.find(({ state }) => state === "waits");
    const first = waits ?? rows[0];
    return [
      {
        columns: ["", "rule", "tokens", "checks", "file", "why"],
        rows: rows.map(({ rule, tokens, state, judgement, mute }) => [
          shown.paint(LOOKS[state], state),
          shown.paint("bold", rule.name),
          String(tokens),
          rule.checks.length === 0 ? "-" : String(rule.checks.length),
          rule.file.key,
          mute === undefined ? judgement.because() : `${mutedText(mute)}: ${undoCommand(mute)}`,
        ]),
        fit: { wraps: [5], keepEnd: [4], optional: [4, 2, 3] },
      },
      ...remarks(found, shown),
      ...trustLines(found, trust),
      ...(missing.length === 0 ? [] : ["", ...missing]),
      "",
      shownFor,
      {
        next: [
          ...(first === undefined
            ? []
            : [
                [
                  `continuo rules why ${ruleArgument({ name: first.rule.name, key: first.rule.file.key })}`,
                  waits === undefined ? "Why it applies" : "What it waits for",
                ] as const,
              ]),
          ["continuo rules report", "Which rules are broken"],
        ],
      },
    ];
  },
});

const LOOKS = {
  active: "green",
  "on request": "cyan",
  muted: "yellow",
  "no room": "yellow",
  waits: "dim",
} as const satisfies Record<RuleState, Look>;

/** Problems with rule files, below the table. */
function remarks({ project, catalog, judged, leftOut }: JudgedRules, { env, paint }: Shown): Block[] {
  const line = (look: Look, word: string, text: string, hint?: string): Block[] => [
    { text: `  ${paint(look, word.padEnd(9))}  ${oneLine(shortPaths(text, project.root, env))}`, hang: 11 },
    ...(hint === undefined ? [] : [{ text: `             -> ${oneLine(hint)}`, hang: 3 }]),
  ];
  return [
    ...catalog.rejects.flatMap(({ path, message }) =>
      line("red", "refused", message.includes(path) ? message : `${path}: ${message}`),
    ),
    ...catalog.repeated.flatMap(({ file, by }) =>
      line("yellow", "duplicate", `${file.path} (same text as ${by.path})`),
    ),
    ...catalog.pending.flatMap(({ path }) => line("yellow", "pending", `${path} could not be read in time`)),
    ...leftOut.flatMap(({ message, hint }) => line("yellow", "no room", message, hint)),
    ...judged.flatMap(({ rule }) =>
      leftOutChecks(rule.lints).flatMap(({ message, hint }) =>
        line("yellow", "left out", `${rule.name}: ${message}`, hint),
      ),
    ),
  ];
}

/** Checks and commands that may do less here than their authors asked for. */
function trustLines({ project, judged }: JudgedRules, trust: Trust): Block[] {
  const rules = judged.map(({ rule }) => rule);
  const checks = checksToTrust(rules);
  const runs = runsOf(rules);
  const waiting = waitingRuns(trust, project.id, runs);
  const isTrusted = trust.projects.includes(project.id);
  const review = "continuo rules trust";
  return [
    ...(checks.length > 0 && !isTrusted
      ? ["", `This project's checks only remind, and stop nothing, until you trust it: ${review}`]
      : haveChanged(trust, project.id, checks)
        ? ["", `The checks have changed since you trusted this project. Review them: ${review}`]
        : []),
    ...(runs.length > 0 && !isTrusted
      ? ["", `Commands of rules do not run until you trust this project: ${review}`]
      : []),
    ...(waiting.length > 0
      ? ["", `These commands do not run until you accept them with ${review}:`, ...runLines(waiting)]
      : []),
  ];
}
