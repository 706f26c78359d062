import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action, alone } from "../../../moments/ports/action.ts";
import type { Block } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { loadSourceSettings } from "../../../store/config.ts";
import { INSTRUCTION_FILES, instructionsIn, readInstructionFiles } from "../learning/instructions.ts";
import type { Candidate, ProposeResult, Skipped } from "../learning/propose.ts";
import { proposeIn } from "../learning/propose-in.ts";
import { SEED_SETTINGS } from "../settings.ts";

/** The user would not read more at once before deciding. */
const MOST = 25;
const LOCK_WAIT_MS = 5_000;

/** What accepted suggestions add to the file. */
const GIVES =
  "Your agent may read these files itself already. What you accept is also given to your other connected agents, and again after each compaction: at most 5 learnings at a time, the most relevant first (setting sources.seed.learnings). In an agent that reads the file too, it costs its tokens twice. For an instruction that must always be there, write a rule: continuo rules add";

const init = action({
  name: "init",
  about: "suggest learnings from CLAUDE.md, AGENTS.md and .cursorrules",
  guide:
    "Reads the files of this project that already tell agents how to work, and suggests each instruction as a learning. Nothing applies until you accept it in continuo review, where you can also edit or reject it. What was suggested, accepted or rejected before is not suggested again. The files are not changed.",
  examples: [
    ["continuo init --dry-run", "see which instructions are found"],
    ["continuo init", "suggest them as learnings, then decide: continuo review"],
  ],
  effect: "writes",
  input: fields({ dryRun: optional(flag("list what would be suggested and add nothing")) }),
  async run({ dryRun: isDryRun = false }, { env, cwd, home, now }) {
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
    const result = isDryRun
      ? undefined
      : await proposeIn(
          cwd,
          found,
          { home, env },
          { sessionId: "init", now: now(), lockWaitMs: LOCK_WAIT_MS, atMost: MOST },
        );
    return { project, files, problems, found, result };
  },
  json: ({ project, files, problems, found, result }) => ({
    project: project.root,
    files: files.map(({ name, isCut }) => ({ name, isCut })),
    found: found.map(({ content, file }) => ({ text: content, file })),
    suggested: result?.proposed.map(({ id, content }) => ({ id, text: content })) ?? [],
    skipped: countsOf(result),
    problems,
  }),
  view({ project, files, problems, found, result }, { env }): Block[] {
    const notes = [
      ...problems,
      ...files
        .filter(({ isCut }) => isCut)
        .map(({ name }) => `${name} is very long: only its beginning was read.`),
    ].map(oneLine);
    if (files.length === 0)
      return [
        `No instructions to import: ${oneLine(shortPath(project.root, env))} has no ${SOUGHT}`,
        ...notes,
        { next: [['continuo rules add "…"', "Add a rule for this project"]] },
      ];
    const names = files.map(({ name }) => name).join(", ");
    const shown = result?.proposed ?? found.slice(0, MOST);
    const counts = countsOf(result);
    const skipped = Object.values(counts).reduce((sum, one) => sum + one, 0);
    const left = found.length - shown.length - skipped;
    const first =
      result === undefined
        ? `${count(found.length, "instruction")} found in ${names}; nothing was added (dry run).`
        : shown.length === 0
          ? `No new instructions in ${names}.`
          : `${count(shown.length, "suggestion")} from ${names}:`;
    const later = `${count(left, "more instruction")} ${left === 1 ? "was" : "were"} left for later: decide these first, then run continuo init again.`;
    const isNew = result !== undefined && shown.length > 0;
    const lines = [
      first,
      ...shown.map(({ content }) => `  - ${oneLine(content)}`),
      ...(left > 0 ? [later] : []),
      ...skippedLines(counts),
      ...notes,
      ...(isNew
        ? ["", "Nothing applies yet: continuo review lets you accept, edit or reject each.", GIVES]
        : []),
    ];
    const text = { text: lines.join("\n"), hang: 4 };
    return isNew ? [text, { next: [["continuo review", "Decide"]] }] : [text];
  },
});

export const INIT = alone("start", init);

/** `CLAUDE.md, AGENTS.md or .cursorrules` */
const SOUGHT = INSTRUCTION_FILES.filter((one) => !one.includes("/"))
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ");

type Counts = Partial<Record<Skipped, number>>;

function countsOf(result: ProposeResult | undefined): Counts {
  const counts: Counts = {};
  for (const { because } of result?.skipped ?? []) counts[because] = (counts[because] ?? 0) + 1;
  return counts;
}

const SKIPPED = {
  pending: "already suggested",
  learned: "already accepted",
  refused: "rejected before",
  secret: "with a secret in it",
} as const;

function skippedLines(counts: Counts): string[] {
  const { full = 0 } = counts;
  const known = Object.entries(SKIPPED).flatMap(([why, words]) => {
    const many = counts[why as Skipped] ?? 0;
    return many === 0 ? [] : [`${many} ${words}`];
  });
  const unfit = `${count(full, "instruction")} did not fit: there are already 50 suggestions. Decide some, then run continuo init again.`;
  return [...(known.length > 0 ? [`Left out: ${known.join(", ")}.`] : []), ...(full > 0 ? [unfit] : [])];
}
