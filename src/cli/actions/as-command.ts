import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import { boundYoungGeneration } from "../../base/young-generation.ts";
import { type Field, fieldsOf } from "../../moments/actions/input.ts";
import {
  argumentsOf,
  inputOf,
  optionOf,
  parserOf,
  type ReadPiped,
  usageOf,
  wordOf,
} from "../../moments/actions/words.ts";
import type { Action, ActionGroup, Place } from "../../moments/ports/action.ts";
import type { Block, Shown } from "../../moments/ports/view.ts";
import { findHome } from "../../store/home.ts";
import type { Argument, Command, Input, Option, Options, Outcome, Subcommand, World } from "../command.ts";
import { paintFor } from "../terminal/paint.ts";
import { interruptible, progressBar } from "../terminal/progress.ts";
import { PLAIN } from "../terminal/screen.ts";
import { pipedText } from "./piped-text.ts";
import { showBlocks } from "./show-blocks.ts";

/** Turns a group of actions into a command, with its options, help, completion and manual. */
export function asCommand(group: ActionGroup): Command {
  const { name, about, section, isMinor, guide, examples, actions } = group;
  const [only] = actions;
  const isOne = only !== undefined && actions.length === 1 && only.name === name;
  const everyField = actions.flatMap((action) => fieldsOf(action));
  return {
    name,
    summary: about,
    usage: isOne ? usageOf(only) : `${name} [SUBCOMMAND]`,
    section,
    ...(isMinor && { isMinor }),
    ...(guide !== undefined && { guide }),
    ...(examples !== undefined && { examples }),
    options: { ...optionsOf(everyField), ...addedTo(actions) },
    arguments: wordsOf(everyField),
    ...(!isOne && { subcommands: actions.map(asSubcommand) }),
    run(input) {
      const { action, words } = isOne ? { action: only, words: input.positionals } : chosen(group, input);
      return runAsked(action, inputOf(action, input.values, words, pipedFrom(input, action, group)), input);
    },
  };
}

const YES: Options = { yes: { type: "boolean", help: "do not ask" } };
const FILE: Options = {
  file: {
    type: "string",
    value: "FILE",
    help: "read the text from this file; - is the standard input",
    fallback: "the text that is given",
  },
};

/** Options that exist only on the command line. */
function addedTo(actions: readonly Action[]): Options {
  const isPiped = actions.some((one) => fieldsOf(one).some(({ piped }) => piped !== undefined));
  return { ...(isPiped && FILE), ...(actions.some(({ asks }) => asks !== undefined) && YES) };
}

function pipedFrom(input: Input, { examples }: Action, group: ActionGroup): ReadPiped {
  const [[example = ""] = []] = examples ?? group.examples ?? [];
  return (typed, most) => pipedText(input, typed, { most, example });
}

/** Asks the user first, if the action requires it. */
async function runAsked(action: Action, given: object, input: Input): Promise<Outcome> {
  if (input.values["yes"] === true) return runAction(action, given, input);
  const question = await action.asks?.(given as never, placeFor(input));
  if (question === undefined) return runAction(action, given, input);
  const { canAsk, confirmed } = await import("../terminal/input.ts");
  const isAsked = canAsk(input);
  if (!isAsked && question.unasked !== undefined) throw question.unasked;
  if (isAsked && (await confirmed(input, question.ask)))
    return runAction(action, question.input ?? given, input);
  return { ...question.declined, exitCode: 1 };
}

/** The action that the first argument names; without arguments, the first action. */
function chosen({ name, actions }: ActionGroup, { positionals }: Input) {
  const names = actions.map(subcommandOf);
  const [word = names[0] ?? "", ...words] = positionals;
  const action = actions[names.indexOf(word)];
  if (action !== undefined) return { action, words };
  const near = nearest(word, names);
  throw new ContinuoError("usage", `unknown subcommand "${name} ${word}"`, {
    hint:
      near === undefined ? `subcommands: ${names.join(", ")}` : `did you mean "continuo ${name} ${near}"?`,
  });
}

const subcommandOf = ({ name }: Action) => name.split(" ").slice(1).join(" ");

async function runAction(action: Action, given: object, input: Input): Promise<Outcome> {
  const place = placeFor(input);
  const work = async (more: Place) => action.run(given as never, more);
  let signal: AbortSignal | undefined;
  const untilStopped = (given: AbortSignal) => {
    signal = given;
    return work({ ...place, signal });
  };
  const data = await (action.isLong ? interruptible(untilStopped) : work(place));
  return {
    // Lazy, because only `--json` needs it and computing it may take time.
    get data() {
      return action.json === undefined ? data : action.json(data as never);
    },
    text: shownBlocks((shown) => action.view(data as never, shown), input),
    ...(action.isBad?.(data as never) && { exitCode: signal?.aborted ? 130 : 1 }),
  };
}

/** The view's output for this screen. */
function shownBlocks(view: (shown: Shown) => readonly Block[], input: Input): string {
  const { env, cwd, now, tell, screen = PLAIN } = input;
  const how = { paint: paintFor(screen), isPiped: !screen.isTerminal, isAscii: !screen.hasUnicode };
  const blocks = view({ env, cwd, now: now(), ...how });
  for (const block of blocks) if (typeof block === "object" && "aside" in block) tell?.(block.aside);
  return showBlocks(blocks, screen);
}

/** Where a command runs. An action that exists only on the command line may use everything that a command has. */
export interface CommandPlace extends Place {
  readonly world: World & Partial<Input>;
}

export function placeFor(world: World): CommandPlace {
  const { env, cwd, now, history, sources, openingRoom, tell } = world;
  return {
    world,
    env,
    cwd,
    // Resolved only on demand: there may be no home, and `doctor` reports that.
    get home() {
      return findHome(env);
    },
    now,
    history,
    sources,
    openingRoom,
    tell,
    others: () => world.others(world),
    async askLine(question) {
      const { asker, canAsk } = await import("../terminal/input.ts");
      return canAsk(world) ? asker(world)(question) : undefined;
    },
    progress() {
      const show = progressBar(world);
      return (step) => {
        boundYoungGeneration();
        show(step);
      };
    },
    // Loaded on demand, because it includes the code that edits JSON with comments.
    changeConfig: async (...change) =>
      (await import("../../setup/change-config.ts")).changeConfig(world, ...change),
  };
}

function asSubcommand(action: Action): Subcommand {
  const { about, guide, examples } = action;
  const all = fieldsOf(action);
  const args = argumentsOf(action);
  return {
    name: subcommandOf(action),
    summary: about,
    ...(args !== "" && { args }),
    ...(guide !== undefined && { guide }),
    ...(examples !== undefined && { examples }),
    options: [
      ...all.filter(isOption).map((field) => optionOf(field.name)),
      ...Object.keys(addedTo([action])),
    ],
    overrides: Object.fromEntries(
      all
        .filter(isOption)
        .map(({ name: field, about: help, fallback }) => [
          optionOf(field),
          { help, ...(fallback !== undefined && { fallback }) },
        ]),
    ),
  };
}

const isOption = ({ typed }: Field) => typed === undefined;

/** An option has the same meaning in all actions of the group; its help may differ (`overrides`). */
function optionsOf(all: readonly Field[]): Options {
  const options = all.filter(isOption);
  const first = options.filter((one, at) => options.findIndex(({ name }) => name === one.name) === at);
  return Object.fromEntries(
    first.map(({ name, about, kind, value, short, fallback, choices }): [string, Option] => [
      optionOf(name),
      {
        ...parserOf(kind),
        ...(short !== undefined && { short }),
        help: about,
        value: kind === "flag" ? undefined : wordOf({ name, value }),
        fallback,
        choices,
      },
    ]),
  );
}

function wordsOf(all: readonly Field[]): Readonly<Record<string, Argument>> {
  return Object.fromEntries(
    all
      // `list|clean` lists its words itself.
      .filter((field) => (field.typed === "word" || field.typed === "rest") && !wordOf(field).includes("|"))
      .map((field) => [
        wordOf(field),
        { help: field.about, ...(field.choices !== undefined && { choices: field.choices }) },
      ]),
  );
}
