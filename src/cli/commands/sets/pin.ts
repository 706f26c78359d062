import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/settings.ts";
import { type FileUse, projectPath } from "../../../moments/working-set.ts";
import type { Input, Outcome } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { changeIn, keys, outcome } from "./actions.ts";
import { type Chosen, chooseSession } from "./session.ts";

const SHOWN = 50;

/** From what the session touched into what it is told again: with nothing named, what there is to choose from. */
export async function pin(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const files = [...chosen.workingSet].reverse();
  const [, ...named] = input.positionals;
  if (named.length === 0) return choices(chosen, files);
  const items = named.map((one) => resolve(rootOf(chosen, input), find(one, files, chosen, input).path));
  const change = await changeIn(chosen, input, { setName: "files", items, mode: "merge" });
  return outcome(
    chosen,
    chosen.file.read(),
    [change],
    items.map((path) => `  ${path}`),
  );
}

function choices(chosen: Chosen, files: readonly FileUse[]): Outcome {
  const rows = files.map((use, i) => [
    String(i + 1),
    use.edited ? "edited" : "read",
    new Date(use.at).toISOString().slice(0, 19),
    use.path,
  ]);
  const rest = rows.length - SHOWN;
  const text =
    rows.length === 0
      ? "Its tool calls touched no file yet."
      : [
          table(["", "", "last", "file"], rows.slice(0, SHOWN)),
          ...(rest > 0 ? [`  and ${rest} older ones`] : []),
          "Pin with: continuo sets pin NUMBER|PATH…",
        ].join("\n");
  return { data: { ...keys(chosen), workingSet: files }, text: `${chosen.line}\n${text}` };
}

function find(wanted: string, files: readonly FileUse[], chosen: Chosen, input: Input): FileUse {
  const path = projectPath(wanted, input.cwd, rootOf(chosen, input));
  // A file may be called "3": a path that is in the set wins over a number.
  const number = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0;
  const found = files.find((use) => use.path === path || use.path === wanted) ?? files[number - 1];
  if (found !== undefined) return found;
  const near = nearest(
    path,
    files.slice(0, SHOWN).map((use) => use.path),
  );
  throw new ContinuoError("no-such-file", `"${wanted}" is not in the session's working set`, {
    hint:
      near === undefined
        ? `numbers 1 to ${files.length}, or a path that "continuo sets pin" shows; any other file: continuo sets set files PATH --merge`
        : `did you mean "${near}"?`,
  });
}

function rootOf(chosen: Chosen, input: Input): string {
  return chosen.project?.root ?? input.cwd;
}
