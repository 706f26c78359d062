import { ContinuoError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { fields, oneOf } from "../../../moments/actions/fields.ts";
import { notAsked } from "../../../moments/actions/not-asked.ts";
import { action } from "../../../moments/ports/action.ts";
import { byPrefix, newId } from "../file/ids.ts";
import {
  type Decided,
  findLearning,
  forget as forgetOne,
  learn as learnOne,
  refresh as refreshOne,
} from "../learning/decide.ts";
import { staleLearnings } from "../learning/relevance.ts";
import { normalise, visible } from "../text.ts";
import { LEARNING_TYPES, type Learning, type SeedConfig, TYPE_OF } from "../types.ts";
import {
  allLearnings,
  DECISION,
  DECLINED,
  decideAll,
  EXACT,
  HERE,
  IDS,
  iso,
  profileOf,
  replaceBy,
  SUPERSEDES,
  tagsOf,
  words,
} from "./decide.ts";

export const learn = action({
  name: "seed learn",
  about: "add a learning: what agents should know about you",
  input: fields({
    type: oneOf("what kind of learning it is", LEARNING_TYPES, { typed: "word" }),
    text: words("what agents should know, in one sentence", { typed: "rest" }),
    project: HERE,
    supersedes: SUPERSEDES,
  }),
  examples: [
    ["continuo seed learn pattern Use pnpm, never npm.", "add how you work"],
    ["continuo seed learn insight The CI is slow on Mondays. --project", "only for this project"],
  ],
  run({ type, text: content, project, supersedes }, place) {
    const now = iso(place);
    const learning: Learning = {
      id: newId(),
      content,
      source: "cli:manual",
      extractedAt: now,
      confirmedAt: now,
      confirmed: true,
      tags: tagsOf(project, place),
    };
    return decideAll(place, "Learn", (config) => {
      const same = allLearnings(config).find((one) => normalise(one.content) === normalise(content));
      if (same !== undefined)
        throw new ContinuoError("learned-already", `already known: ${same.id} "${visible(same.content)}"`, {
          hint: `to confirm that it still holds: continuo seed refresh ${same.id}`,
        });
      const done = learnOne(config, type, learning);
      return supersedes === undefined ? [done] : [done, replaceBy(done.config, supersedes, learning.id)];
    });
  },
  ...DECISION,
});

/** Asks first, although it can be undone, because further changes eventually make it permanent. */
export const forget = action({
  name: "seed forget",
  about: "remove learnings; asks first",
  input: fields({ ids: IDS, exact: EXACT }),
  examples: [["continuo seed forget 3f2a", "remove one; continuo seed undo brings it back"]],
  asks({ ids, exact }, place) {
    const named = learningsOf(profileOf(place).config, ids, exact);
    const these = named.length === 1 ? "this learning" : "these learnings";
    return {
      ask: `${named.map(({ content }) => `  ${visible(content)}`).join("\n")}\nRemove ${these}?`,
      unasked: notAsked(),
      declined: DECLINED,
      input: { ids: named.map(({ id }) => id), exact: true },
    };
  },
  run: ({ ids, exact }, place) =>
    decideAll(place, "Cleanup", (config) =>
      onEach(config, learningsOf(config, ids, exact), (found) =>
        forgetOne(found.config, found.category, found.learning),
      ),
    ),
  ...DECISION,
});

export const refresh = action({
  name: "seed refresh",
  about: "confirm that learnings still hold",
  input: fields({ ids: IDS }),
  examples: [["continuo seed refresh 3f2a", "confirm one"]],
  run: ({ ids }, place) =>
    decideAll(place, "Confirm", (config) =>
      onEach(config, learningsOf(config, ids), (found) =>
        refreshOne(found.config, found.category, found.learning, iso(place)),
      ),
    ),
  ...DECISION,
});

export const stale = action({
  name: "seed stale",
  about: "list learnings that were not confirmed for 90 days",
  effect: "reads",
  input: fields({}),
  examples: [["continuo seed stale", "list them with their ids"]],
  run: (_input, place) => ({ stale: staleLearnings(profileOf(place).config, place.now()) }),
  view({ stale: aged }, { paint, isPiped }) {
    if (aged.length === 0) return ["Nothing is stale: everything was confirmed within 90 days."];
    return [
      {
        columns: ["id", "type", "age", "learning"],
        rows: aged.map(({ category, learning, days }) => [
          paint("dim", learning.id),
          TYPE_OF[category],
          count(days, "day"),
          visible(learning.content),
        ]),
        fit: { wraps: [3], optional: [1] },
      },
      ...(isPiped ? ["Still true: continuo seed refresh ID…  No longer true: continuo seed forget ID…"] : []),
      {
        next: [
          ["continuo seed refresh ID…", "Still true"],
          ["continuo seed forget ID…", "No longer true"],
        ],
      },
    ];
  },
});

type Found = NonNullable<ReturnType<typeof findLearning>> & { readonly config: SeedConfig };

function learningsOf(config: SeedConfig, ids: readonly string[], isWhole?: boolean): Learning[] {
  return [...new Set(ids.map((one) => byPrefix(allLearnings(config), one, "learning", isWhole)))];
}

function onEach(
  first: SeedConfig,
  learnings: readonly Learning[],
  decide: (found: Found) => Decided,
): Decided[] {
  const all: Decided[] = [];
  for (const { id } of learnings) {
    const config = all.at(-1)?.config ?? first;
    const found = findLearning(config, id);
    if (found !== undefined) all.push(decide({ ...found, config }));
  }
  return all;
}
