import { ContinuoError } from "../../../base/errors.ts";
import { byPrefix, newId } from "../../../sources/profile/file/ids.ts";
import {
  type Decided,
  findLearning,
  forget as forgetOne,
  learn as learnOne,
  refresh as refreshOne,
} from "../../../sources/profile/learning/decide.ts";
import { staleLearnings } from "../../../sources/profile/learning/relevance.ts";
import { normalise, visible } from "../../../sources/profile/text.ts";
import { type Learning, type SeedConfig, TYPE_OF } from "../../../sources/profile/types.ts";
import type { Input, Outcome } from "../../command.ts";
import { confirmed } from "../../terminal/input.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import {
  allLearnings,
  checkContent,
  decideAll,
  decidedOutcome,
  iso,
  profileOf,
  replaceBy,
  tagsOf,
  typeOf,
} from "./decide.ts";

export async function learn(input: Input): Promise<Outcome> {
  const [, type, ...words] = input.positionals;
  const meant = typeOf(type);
  const content = checkContent(words.join(" "));
  const { supersedes } = input.values;
  const now = iso(input);
  const learning: Learning = {
    id: newId(),
    content,
    source: "cli:manual",
    extractedAt: now,
    confirmedAt: now,
    confirmed: true,
    tags: tagsOf(input),
  };
  const { steps, result } = await decideAll(input, "Learn", (config) => {
    const same = allLearnings(config).find((one) => normalise(one.content) === normalise(content));
    if (same !== undefined) {
      throw new ContinuoError("learned-already", `already known: ${same.id} "${visible(same.content)}"`, {
        hint: `to confirm that it still holds: continuo seed refresh ${same.id}`,
      });
    }
    const done = learnOne(config, meant, learning);
    return supersedes === undefined
      ? [done]
      : [done, replaceBy(done.config, String(supersedes), learning.id)];
  });
  return decidedOutcome(steps, result);
}

/** Asks first, although it can be undone: what agents know about a person goes for good with the next changes. */
export async function forget(input: Input): Promise<Outcome> {
  const { config } = profileOf(input);
  const named = onEach(input, config, (found) => forgetOne(found.config, found.category, found.learning));
  const texts = named.flatMap(({ step }) =>
    "learning" in step ? [`  ${visible(step.learning.content)}`] : [],
  );
  if (
    !(await confirmed(
      input,
      `${texts.join("\n")}\nRemove ${named.length === 1 ? "this learning" : "these learnings"}?`,
    ))
  )
    throw new ContinuoError("not-confirmed", "nothing was changed");
  const { steps, result } = await decideAll(input, "Cleanup", (config) =>
    onEach(input, config, ({ config: now, category, learning }) => forgetOne(now, category, learning)),
  );
  return decidedOutcome(steps, result);
}

export async function refresh(input: Input): Promise<Outcome> {
  const { steps, result } = await decideAll(input, "Confirm", (config) =>
    onEach(input, config, ({ config: now, category, learning }) =>
      refreshOne(now, category, learning, iso(input)),
    ),
  );
  return decidedOutcome(steps, result);
}

export function stale(input: Input): Outcome {
  const aged = staleLearnings(profileOf(input).config, input.now());
  const { screen = PLAIN } = input;
  const paint = paintFor(screen);
  const rows = aged.map(({ category, learning, days }) => [
    paint("dim", learning.id),
    TYPE_OF[category],
    counted(days, "day"),
    visible(learning.content),
  ]);
  const text =
    rows.length === 0
      ? "Nothing is stale: everything was confirmed within 90 days."
      : [
          table(["id", "type", "age", "learning"], rows, screen, { wraps: [3], optional: [1] }),
          screen.isTerminal
            ? nextSteps(
                screen,
                ["continuo seed refresh ID…", "Still true"],
                ["continuo seed forget ID…", "No longer true"],
              ).join("\n")
            : "Still true: continuo seed refresh ID…  No longer true: continuo seed forget ID…",
        ].join("\n");
  return { data: { stale: aged }, text };
}

type Found = NonNullable<ReturnType<typeof findLearning>> & { readonly config: SeedConfig };

function onEach(input: Input, first: SeedConfig, decide: (found: Found) => Decided): Decided[] {
  const typed = input.positionals.slice(1);
  if (typed.length === 0) {
    throw new ContinuoError("usage", "ID is missing", { hint: "list the ids: continuo seed show" });
  }
  const all: Decided[] = [];
  for (const { id } of new Set(typed.map((one) => byPrefix(allLearnings(first), one, "learning")))) {
    const config = all.at(-1)?.config ?? first;
    const found = findLearning(config, id);
    if (found !== undefined) all.push(decide({ ...found, config }));
  }
  return all;
}
