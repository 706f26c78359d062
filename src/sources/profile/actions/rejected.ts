import { fields } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { byPrefix } from "../file/ids.ts";
import type { Decided } from "../learning/decide.ts";
import { allowWish, rejectedWishes } from "../learning/learnings.ts";
import { DECISION, decideAll, EXACT, IDS, profileOf } from "./decide.ts";

export const rejected = action({
  name: "seed rejected",
  about: "list what is not suggested again",
  effect: "reads",
  input: fields({}),
  examples: [["continuo seed rejected", "list rejected suggestions and removed learnings"]],
  run(_input, place) {
    const profile = profileOf(place);
    const all = rejectedWishes({ config: profile.config, records: profile.records() });
    return { rejected: all.map(({ id, text, why, at }) => ({ id, text, why, at })) };
  },
  view({ rejected: all }, { paint }) {
    if (all.length === 0) return ["Nothing was rejected."];
    return [
      {
        columns: ["id", "why", "date", "text"],
        rows: all.map(({ id, why, at, text }) => [paint("dim", id), why, at.slice(0, 10), text]),
        fit: { wraps: [3], optional: [2] },
      },
      { next: [["continuo seed allow ID", "Allow one again"]] },
    ];
  },
});

export const allow = action({
  name: "seed allow",
  about: "allow what was rejected: a suggestion is pending again, a removed learning is back",
  input: fields({ ids: IDS, exact: EXACT }),
  examples: [
    ["continuo seed allow 3f2a", "allow the one whose id begins like this in continuo seed rejected"],
  ],
  run: ({ ids, exact }, place) =>
    decideAll(place, "Update", (config, records) => {
      const wishes = rejectedWishes({ config, records }).map((one) => ({ ...one, content: one.text }));
      const chosen = new Set(ids.map((typed) => byPrefix(wishes, typed, "rejected suggestion", exact)));
      const done: Decided[] = [];
      for (const wish of chosen) done.push(...allowWish(done.at(-1)?.config ?? config, wish));
      return done;
    }),
  ...DECISION,
});
