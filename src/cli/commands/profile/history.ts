import { ContinuoError } from "../../../base/errors.ts";
import { unifiedDiff } from "../../../setup/diff.ts";
import { lastDiff } from "../../../sources/profile/file/history.ts";
import { applyRepair, planRepair } from "../../../sources/profile/file/repair.ts";
import { summariseStep, undoLast } from "../../../sources/profile/learning/apply.ts";
import type { Input, Outcome } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { LOCK, pathOf, placeOf, withCommit } from "./decide.ts";

export async function undo(input: Input): Promise<Outcome> {
  const [, typed = "1"] = input.positionals;
  if (!/^[1-9]\d{0,3}$/.test(typed)) {
    throw new ContinuoError("usage", `"${typed}" is not a number of decisions`, {
      hint: "usage: continuo seed undo [NUMBER]",
    });
  }
  const { batches, result } = await undoLast(placeOf(input), Number(typed), { now: input.now(), ...LOCK });
  const lines =
    batches.length === 0
      ? ["Nothing to undo."]
      : batches.flatMap(({ steps }) => steps.map((step) => `Undone: ${summariseStep(step)}`));
  return {
    data: { undone: batches, committed: result?.committed ?? false },
    text: withCommit(lines, result),
  };
}

/** Shows what would change first. The damaged file is always kept. */
export async function repair(input: Input): Promise<Outcome> {
  const path = pathOf(input);
  const plan = await planRepair(path);
  if (plan === undefined) return { data: { repaired: false }, text: "Nothing to repair." };
  const { found, version } = plan;
  const before = found.state === "missing" ? "" : (found.text ?? "");
  const diff = await unifiedDiff(path, before, version.read.text);
  const what = `The newest readable version is from ${version.at} (${version.commit.slice(0, 10)}).`;
  const preview = `${what} Restoring it changes:\n${diff}`;
  const isWanted =
    input.values["yes"] === true || (canAsk(input) && (await confirmed(input, `${preview}\nRestore it?`)));
  if (!isWanted) {
    const data = { repaired: false, version: version.commit, at: version.at, diff };
    return {
      data,
      text: `${preview}\nNothing was changed. To restore it: continuo seed repair --yes`,
      exitCode: 1,
    };
  }
  const { kept, ...result } = await applyRepair(path, plan, LOCK.lockWaitMs);
  const lines = [preview, `Restored.${kept === undefined ? "" : ` The damaged file is kept as ${kept}.`}`];
  return { data: { repaired: true, version: version.commit, kept, diff }, text: withCommit(lines, result) };
}

export async function diff(input: Input): Promise<Outcome> {
  const shown = await lastDiff(pathOf(input));
  return {
    data: shown,
    text: [wrapOn(sentence(shown.what), input.screen ?? PLAIN), shown.diff]
      .filter((part) => part !== "")
      .join("\n"),
  };
}

function sentence(text: string): string {
  return text === "the profile has no history"
    ? "The profile has no history yet: it begins with the first suggestion that you accept."
    : text;
}
