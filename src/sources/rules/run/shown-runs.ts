import { oneLine } from "../../../base/for-terminal.ts";
import { shownCommand } from "../checks/describe.ts";
import { unforgeable } from "../trusted-checks.ts";
import { acceptedText, type Run } from "./runs.ts";

/** How a run is shown before the project is trusted, also in `--json`. */
export interface ShownRun {
  readonly rule: string;
  readonly path: string;
  /** Whether it belongs to one of the user's own rules, and so runs in every trusted project. */
  readonly isUsers: boolean;
  readonly command: readonly string[];
  readonly files: readonly string[];
  readonly exclude: readonly string[];
  readonly timeoutMs: number;
}

export function shownRun({ name, path, isUsers, check }: Run): ShownRun {
  const texts = (patterns: readonly { readonly text: string }[]) => [
    ...new Set(patterns.map(({ text }) => text)),
  ];
  const { command, files, timeoutMs } = check;
  return {
    rule: name,
    path,
    isUsers,
    command,
    files: texts(files.include),
    exclude: texts(files.exclude),
    timeoutMs,
  };
}

export const RUNS_TITLE =
  "These commands run when the agent goes idle, with the files that it changed as arguments and with your rights:";

/** One line per command. The command is complete and exact; nothing in it can look like something else. */
export function runLines(runs: readonly Run[]): string[] {
  return runs.map((run) => {
    const place = run.isUsers ? `your rule ${run.path}` : run.path;
    return `  ${shownCommand(run.check.command)}  (${oneLine(`${aboutRun(run)}; ${place}`)})`;
  });
}

/** On which files a command runs, and for how long. */
export function aboutRun(run: Run): string {
  const { files, exclude, timeoutMs } = shownRun(run);
  return [
    files.length === 0 ? "on any file" : `on ${files.join(", ")}`,
    ...(exclude.length === 0 ? [] : [`not on ${exclude.join(", ")}`]),
    `at most ${timeoutMs / 1000} s`,
    ...(acceptedText(run) === undefined ? ["too long to be accepted: it never runs"] : []),
  ].join("; ");
}

/** Identifies what was shown of all commands. */
export function runsToken(runs: readonly Run[]): string {
  return unforgeable(runs.map((run) => JSON.stringify([run.isUsers, acceptedText(run) ?? ""])));
}
