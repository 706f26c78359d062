import { ContinuoError } from "../../../base/errors.ts";
import { tell, undoLast } from "../../../sources/seed/undo.ts";
import type { Input, Outcome } from "../../command.ts";
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
