import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { knownProject, shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { coreOf, meaningIn } from "../../../sources/profile/learning/extraction/extract.ts";
import {
  type Candidate,
  type ProposeResult,
  propose,
  type Skipped,
} from "../../../sources/profile/learning/propose.ts";
import { tagFor } from "../../../sources/profile/learning/relevance.ts";
import { placeFor } from "../../../sources/profile/learning/suggestions.ts";
import { SEED_SETTINGS } from "../../../sources/profile/settings.ts";
import { loadSourceSettings } from "../../../store/config.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { linesOf } from "../../terminal/lines.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { exactly } from "../../terminal/options.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { INSTRUCTION_FILES, instructionsIn, readInstructionFiles } from "./instructions.ts";

/** The user would not read more at once before deciding. */
const MOST = 25;
const LOCK_WAIT_MS = 5_000;

/** What accepted suggestions add to the file. */
const GIVES =
  "Your agent may read these files itself already. What you accept is also given to your other connected agents, and again after each compaction: at most 5 learnings at a time, the most relevant first (setting sources.seed.learnings). In an agent that reads the file too, it costs its tokens twice. For an instruction that must always be there, write a rule: continuo rules add";

export const initCommand: Command = {
  name: "init",
  summary: "suggest learnings from CLAUDE.md, AGENTS.md and .cursorrules",
  usage: "init [--dry-run]",
  section: "start",
  guide:
    "Reads the files of this project that already tell agents how to work, and suggests each instruction as a learning. Nothing applies until you accept it in continuo review, where you can also edit or reject it. What was suggested, accepted or rejected before is not suggested again. The files are not changed.",
  options: { "dry-run": { type: "boolean", help: "list what would be suggested and add nothing" } },
  examples: [
    ["continuo init --dry-run", "see which instructions are found"],
    ["continuo init", "suggest them as learnings, then decide: continuo review"],
  ],
  run,
};

async function run(input: Input): Promise<Outcome> {
  exactly(input, 0, "init");
  const { env, cwd, now } = input;
  const home = findHome(env);
  const project = findProject(cwd);
  if (loadSourceSettings(home.config, "seed", SEED_SETTINGS, env).enabled === false)
    throw new ContinuoError("seed-off", "learnings are switched off, so nothing can be suggested", {
      hint: "switch them on: remove sources.seed.enabled from config.json (continuo config)",
    });
  const { files, problems } = readInstructionFiles(project.root);
  const found = files.flatMap(({ name, text }) =>
    instructionsIn(text).map((one): Candidate => {
      const file = `${name}, line ${one.line}`;
      return { type: "pattern", content: one.text, evidence: "", scope: "project", file };
    }),
  );
  const isDryRun = input.values["dry-run"] === true;
  const { name: projectName } = knownProject(project, { home, env, cwd });
  const result = isDryRun
    ? undefined
    : await propose(found, {
        place: placeFor(home.root, env),
        sessionId: "init",
        project: tagFor(project, env),
        projectName,
        now: now(),
        lockWaitMs: LOCK_WAIT_MS,
        atMost: MOST,
        coreOf,
        ...(found.length === 0 ? {} : await meaningIn(home.root)),
      });
  const where = shortPath(project.root, env);
  return {
    data: {
      project: project.root,
      files: files.map(({ name, isCut }) => ({ name, isCut })),
      found: found.map(({ content, file }) => ({ text: content, file })),
      suggested: result?.proposed.map(({ id, content }) => ({ id, text: content })) ?? [],
      skipped: countsOf(result),
      problems,
    },
    text: textFor(input, { where, files, found, result, problems }),
  };
}

interface Report {
  readonly where: string;
  readonly files: ReturnType<typeof readInstructionFiles>["files"];
  readonly found: readonly Candidate[];
  readonly result: ProposeResult | undefined;
  readonly problems: readonly string[];
}

function textFor(input: Input, { where, files, found, result, problems }: Report): string {
  const screen = input.screen ?? PLAIN;
  const names = files.map(({ name }) => name).join(", ");
  const notes = [
    ...problems,
    ...files.flatMap(({ name, isCut }) =>
      isCut ? [`${name} is very long: only its beginning was read.`] : [],
    ),
  ].map(oneLine);
  if (files.length === 0)
    return wrapOn(
      [
        `No instructions to import: ${oneLine(where)} has no ${INSTRUCTION_FILES.filter(
          (one) => !one.includes("/"),
        )
          .join(", ")
          .replace(/, (?=[^,]*$)/, " or ")}`,
        ...notes,
        ...nextSteps(screen, ['continuo rules add "…"', "Add a rule for this project"]),
      ].join("\n"),
      screen,
    );
  const shown =
    result?.proposed.map(({ content }) => content) ?? found.slice(0, MOST).map(({ content }) => content);
  const counts = countsOf(result);
  const left =
    result === undefined ? Math.max(0, found.length - MOST) : found.length - shown.length - total(counts);
  const lines = linesOf(
    result === undefined
      ? `${counted(found.length, "instruction")} found in ${names}; nothing was added (dry run).`
      : shown.length === 0
        ? `No new instructions in ${names}.`
        : `${counted(shown.length, "suggestion")} from ${names}:`,
    ...shown.map((text) => `  - ${oneLine(text)}`),
    left > 0 &&
      `${counted(left, "more instruction")} ${left === 1 ? "was" : "were"} left for later: decide these first, then run continuo init again.`,
    ...skippedLines(counts),
    ...notes,
  );
  if (result !== undefined && shown.length > 0)
    lines.push(
      "",
      "Nothing applies yet: continuo review lets you accept, edit or reject each.",
      GIVES,
      ...nextSteps(screen, ["continuo review", "Decide"]),
    );
  return wrapOn(lines.join("\n"), screen, { hang: 4 });
}

type Counts = Partial<Record<Skipped, number>>;

function countsOf(result: ProposeResult | undefined): Counts {
  const counts: Counts = {};
  for (const { because } of result?.skipped ?? []) counts[because] = (counts[because] ?? 0) + 1;
  return counts;
}

const total = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0);

function skippedLines({ pending = 0, learned = 0, refused = 0, secret = 0, full = 0 }: Counts): string[] {
  const known = [
    ...(pending === 0 ? [] : [`${pending} already suggested`]),
    ...(learned === 0 ? [] : [`${learned} already accepted`]),
    ...(refused === 0 ? [] : [`${refused} rejected before`]),
    ...(secret === 0 ? [] : [`${secret} with a secret in it`]),
  ];
  return linesOf(
    known.length > 0 && `Left out: ${known.join(", ")}.`,
    full > 0 &&
      `${counted(full, "instruction")} did not fit: there are already 50 suggestions. Decide some, then run continuo init again.`,
  );
}
