import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Chosen } from "../../../moments/state/choose-session.ts";
import { type FileUse, projectPath } from "../../../moments/working-set.ts";
import type { Input, Outcome } from "../../command.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import { changeIn, outcome } from "./change.ts";
import { chooseSession, sessionLine } from "./session.ts";
import { keys } from "./show.ts";
import { undoLines } from "./undo.ts";

const SHOWN = 50;

/** Adds files of the working set to the set `files`. Without arguments, lists the working set. */
export async function pin(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const files = [...chosen.workingSet].reverse();
  const [, ...named] = input.positionals;
  if (named.length === 0) return choices(input, chosen, files);
  const items = named.map((one) => resolve(rootOf(chosen, input), find(one, files, chosen, input)));
  const before = chosen.file.read()?.context ?? {};
  const change = await changeIn(chosen, input, { setName: "files", items, mode: "merge" });
  return outcome(
    input,
    chosen,
    chosen.file.read(),
    [change],
    [
      ...items.map((path) => `  ${oneLine(shortPath(path, input.env))}`),
      ...(change.added.length === 0 ? [] : undoLines(input, chosen, before, ["files"])),
    ],
  );
}

async function choices(input: Input, chosen: Chosen, files: readonly FileUse[]): Promise<Outcome> {
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const rows = files.map((use, i) => [
    String(i + 1),
    use.edited ? "edited" : "read",
    ago(use.at, input.now()),
    use.path,
  ]);
  const rest = rows.length - SHOWN;
  const text =
    rows.length === 0
      ? "This session has not used any files yet."
      : [
          table(["", "use", "last", "file"], rows.slice(0, SHOWN), screen, { keepEnd: [3], optional: [1] }),
          ...(rest > 0 ? [`  and ${counted(rest, "older file")}`] : []),
          `To pin: ${paint("cyan", "continuo sets pin NUMBER|PATH…")}`,
        ].join("\n");
  return {
    data: { ...keys(chosen), workingSet: files },
    text: `${await sessionLine(input, chosen)}\n${text}`,
  };
}

function find(wanted: string, files: readonly FileUse[], chosen: Chosen, input: Input): string {
  const path = projectPath(wanted, input.cwd, rootOf(chosen, input));
  // A file may be named "3": a path in the working set wins over a number.
  const number = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0;
  const found = files.find((use) => use.path === path || use.path === wanted) ?? files[number - 1];
  if (found !== undefined) return found.path;
  // Any file that is there, used or not.
  if (existsSync(resolve(input.cwd, wanted))) return resolve(input.cwd, wanted);
  const near = nearest(
    path,
    files.slice(0, SHOWN).map((use) => use.path),
  );
  throw new ContinuoError(
    "no-such-file",
    `there is no file "${wanted}", and the session used none of this name`,
    {
      hint:
        near === undefined
          ? `use a number from 1 to ${files.length} or a path from "continuo sets pin"`
          : `did you mean "${near}"?`,
    },
  );
}

function rootOf(chosen: Chosen, input: Input): string {
  return chosen.project?.root ?? input.cwd;
}
