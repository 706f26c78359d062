import { basename, dirname } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Catalog } from "../../../sources/rules/catalog/catalog-rule.ts";
import type { RuleFile } from "../../../sources/rules/files/folders.ts";
import { readBody } from "../../../sources/rules/files/load.ts";
import { isCalled, stem } from "../../../sources/rules/named.ts";
import { findHome } from "../../../store/home.ts";
import { moveToTrash } from "../../../store/trash.ts";
import type { Input, Outcome } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { undoLine } from "../notes/undo-line.ts";
import { unknownRule } from "./choose-rule.ts";
import { judgeAll } from "./judged.ts";

/** Moves a rule file to the trash, after a question. */
export async function remove(input: Input): Promise<Outcome> {
  const wanted = input.positionals.slice(1).join(" ").trim();
  if (wanted === "")
    throw new ContinuoError("usage", "RULE is missing", { hint: "usage: continuo rules remove RULE" });
  const { catalog, project } = await judgeAll(input);
  const file = chosen(input, wanted, catalog);
  const path = shortPath(file.path, input.env);
  if (file.dialect !== "continuo")
    throw new ContinuoError("rule-foreign", `${path} is a rule file of another program`, {
      hint: `delete the file yourself, or only turn the rule off here: continuo mute ${commandWord(stem(file.name))}`,
    });
  const about = `${oneLine(path)}\n  "${beginning(file.path)}"`;
  if (input.values["yes"] !== true && !canAsk(input))
    throw new ContinuoError("not-confirmed", `${path} was not removed: there is no terminal to ask on`, {
      hint: `confirm with --yes: continuo rules remove ${commandWord(stem(file.name))} --yes`,
    });
  if (!(await confirmed(input, `${about}\nRemove this rule${whose(file)}?`)))
    return { data: { path: file.path, removed: false }, text: "Nothing was removed.", exitCode: 1 };
  const home = findHome(input.env);
  const within = file.scope === "project" ? project.root : dirname(file.path);
  const name = stem(basename(file.path));
  const trashed = trash(() =>
    moveToTrash(home, { kind: "rule", name, path: file.path, within, at: input.now() }),
  );
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  return {
    data: { path: file.path, removed: true, id: trashed.id, keptAs: trashed.file },
    text: [
      `Removed the rule ${paint("bold", oneLine(name))}`,
      `  ${oneLine(path)}`,
      wrapOn(
        "  Running sessions that have it are told with their next prompt that it no longer applies.",
        screen,
      ),
      undoLine(input, `continuo restore ${trashed.id}`),
    ].join("\n"),
  };

  function trash<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      throw new ContinuoError("rule-unwritable", `${path} was not removed (${code})`, {
        hint: code === "ENOENT" ? "it is gone already" : "make its folder and Continuo's home writable",
        cause: error,
      });
    }
  }
}

function whose({ scope }: RuleFile): string {
  return scope === "global" ? " of yours, which applies in all projects" : "";
}

/** The one file that is meant: used, refused, or hidden by another one. */
function chosen(input: Input, wanted: string, { rules, rejects, repeated, pending }: Catalog): RuleFile {
  const named = [
    ...rules.map(({ name, file }) => ({ name, file })),
    ...[...repeated.map(({ file }) => file), ...pending, ...rejects.flatMap(({ file }) => file ?? [])].map(
      (file) => ({ name: file.name, file }),
    ),
  ];
  const found = named.filter(
    (one) => isCalled(wanted, one) || shortPath(one.file.path, input.env) === wanted,
  );
  const [only] = found;
  if (only === undefined)
    throw unknownRule(
      wanted,
      named.map(({ file }) => stem(file.name)),
    );
  if (found.length === 1) return only.file;
  const paths = found.map(({ file }) => oneLine(shortPath(file.path, input.env)));
  throw new ContinuoError("rule-ambiguous", `${found.length} rules are called "${wanted}"`, {
    hint: `give the path of one: ${paths.join(", ")}`,
  });
}

const SHOWN = 100;

function beginning(path: string): string {
  return clipWithin(oneLine(readBody(path)), SHOWN);
}
