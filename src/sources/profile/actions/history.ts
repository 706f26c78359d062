import { ContinuoError } from "../../../base/errors.ts";
import { unifiedDiff } from "../../../base/unified-diff.ts";
import { fields, optional, text, whole } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { lastDiff } from "../file/history.ts";
import { applyRepair, planRepair } from "../file/repair.ts";
import { summariseStep, undoLast } from "../learning/apply.ts";
import { placeFor } from "../learning/suggestions.ts";
import { resolveSeedPath } from "../settings.ts";
import { commitBlocks, LOCK } from "./decide.ts";

export const undo = action({
  name: "seed undo",
  about: "undo the last decisions",
  effect: "decides",
  changes: "inbox",
  input: fields({
    number: optional(whole("how many decisions (default: 1)", 1, 9_999, { typed: "word" })),
  }),
  examples: [["continuo seed undo", "undo the last one"]],
  run: ({ number = 1 }, { home, env, now }) =>
    undoLast(placeFor(home.root, env), number, { now: now(), ...LOCK }),
  json: ({ batches, result }) => ({ undone: batches, committed: result?.committed ?? false }),
  view: ({ batches, result }) => [
    ...(batches.length === 0
      ? ["Nothing to undo."]
      : batches.flatMap(({ steps }) => steps.map((step) => exact(`Undone: ${summariseStep(step)}`)))),
    ...commitBlocks(result),
  ],
});

/** First shows what would change. The damaged file is always kept. */
export const repair = action({
  name: "seed repair",
  about: "restore a damaged profile from its git history",
  effect: "decides",
  changes: "inbox",
  input: fields({
    version: optional(text("the commit that was shown: no other is restored", { typed: "never" })),
  }),
  examples: [["continuo seed repair", "show the last good version, then ask"]],
  async asks(_input, place) {
    const found = await repairable(place);
    if (found === undefined) return undefined;
    const { preview, diff, version } = found;
    return {
      ask: `${preview}\nRestore it?`,
      declined: {
        data: { repaired: false, version: version.commit, at: version.at, diff },
        text: `${preview}\nNothing was changed. To restore it: continuo seed repair --yes`,
      },
      input: { version: version.commit },
    };
  },
  async run({ version: shown }, place) {
    const found = await repairable(place);
    if (found === undefined) return undefined;
    if (shown !== undefined && shown !== found.version.commit)
      throw new ContinuoError("seed-changed", "the profile changed since its version was shown", {
        hint: "nothing was restored; look at it again",
      });
    return { ...found, ...(await applyRepair(found.path, found, LOCK.lockWaitMs)) };
  },
  json: (done) =>
    done === undefined
      ? { repaired: false }
      : { repaired: true, version: done.version.commit, kept: done.kept, diff: done.diff },
  view: (done) =>
    done === undefined
      ? ["Nothing to repair."]
      : [
          exact(done.preview),
          exact(`Restored.${done.kept === undefined ? "" : ` The damaged file is kept as ${done.kept}.`}`),
          ...commitBlocks(done),
        ],
});

/** What a repair would change; undefined if there is nothing to repair. */
async function repairable({ env }: Place) {
  const path = resolveSeedPath(undefined, env);
  const plan = await planRepair(path);
  if (plan === undefined) return undefined;
  const { found, version } = plan;
  const before = found.state === "missing" ? "" : (found.text ?? "");
  const diff = await unifiedDiff(path, before, version.read.text);
  const what = `The newest readable version is from ${version.at} (${version.commit.slice(0, 10)}).`;
  return { ...plan, path, diff, preview: `${what} Restoring it changes:\n${diff}` };
}

export const diff = action({
  name: "seed diff",
  about: "show the last change to your profile",
  effect: "reads",
  input: fields({}),
  examples: [["continuo seed diff", "show what changed in the file"]],
  run: (_input, { env }) => lastDiff(resolveSeedPath(undefined, env)),
  view: ({ what, diff: changed }) => [
    what === "the profile has no history"
      ? "The profile has no history yet: it begins with the first suggestion that you accept."
      : what,
    ...(changed === "" ? [] : [exact(changed)]),
  ],
});
