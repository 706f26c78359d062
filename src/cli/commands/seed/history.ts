import { ContinuoError } from "../../../base/errors.ts";
import { applyRepair, planRepair } from "../../../sources/seed/repair.ts";
import { tell, undoLast } from "../../../sources/seed/undo.ts";
import type { Input, Outcome } from "../../command.ts";
import { showDiff } from "../../terminal/diff.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { LOCK, pathOf, withCommit } from "./place.ts";

export async function undo(input: Input): Promise<Outcome> {
  const [, typed = "1"] = input.positionals;
  if (!/^[1-9]\d{0,3}$/.test(typed)) {
    throw new ContinuoError("usage", `"${typed}" is no number of decisions`, {
      hint: "continuo seed undo [NUMBER]",
    });
  }
  const { batches, result } = await undoLast(pathOf(input), Number(typed), { now: input.now(), ...LOCK });
  const lines =
    batches.length === 0
      ? ["There is no decision to undo."]
      : batches.flatMap(({ steps }) => steps.map((step) => `Undone: ${tell(step)}`));
  return {
    data: { undone: batches, committed: result?.committed ?? false },
    text: withCommit(lines, result),
  };
}

/** Shows what would be lost before anything is; the damaged file is kept in any case. */
export async function repair(input: Input): Promise<Outcome> {
  const path = pathOf(input);
  const plan = await planRepair(path);
  if (plan === undefined) return { data: { repaired: false }, text: "There is nothing to repair." };
  const { found, version } = plan;
  const before = found.state === "missing" ? undefined : (found.text ?? "");
  const diff = await showDiff({ file: path, before, after: version.read.text });
  const what = `The newest version that can be read is of ${version.at} (${version.commit.slice(0, 10)}).`;
  const preview = `${what} Bringing it back changes:\n${diff}`;
  const isWanted =
    input.values["yes"] === true || (canAsk(input) && confirmed(input, `${preview}\nBring it back?`));
  if (!isWanted) {
    const data = { repaired: false, version: version.commit, at: version.at, diff };
    return { data, text: `${preview}\nNothing was changed. Do it: continuo seed repair --yes`, exitCode: 1 };
  }
  const { kept, ...result } = await applyRepair(path, plan, LOCK.lockWaitMs);
  const lines = [preview, `Restored.${kept === undefined ? "" : ` What was there is kept as ${kept}.`}`];
  return { data: { repaired: true, version: version.commit, kept, diff }, text: withCommit(lines, result) };
}
