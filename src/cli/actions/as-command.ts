import { type Field, fieldsOf } from "../../moments/actions/input.ts";
import { argumentsOf, inputOf, optionOf, parserOf, usageOf, wordOf } from "../../moments/actions/words.ts";
import type { Action, ActionGroup, Place } from "../../moments/ports/action.ts";
import { findHome } from "../../store/home.ts";
import type { Argument, Command, Input, Option, Options, Outcome, Subcommand } from "../command.ts";
import { paintFor } from "../terminal/paint.ts";
import { PLAIN } from "../terminal/screen.ts";
import { showBlocks } from "./show-blocks.ts";

/** A group of actions as a command: its options, help, completion and manual come from there. */
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
    options: optionsOf(everyField),
    arguments: wordsOf(everyField),
    ...(!isOne && { subcommands: actions.map(asSubcommand) }),
    run(input) {
      const { action, words } = isOne ? { action: only, words: input.positionals } : chosen(group, input);
      return runAction(action, inputOf(action, input.values, words), input);
    },
  };
}

/** `parseWords` has refused a first word that is no subcommand's. */
function chosen({ name, actions }: ActionGroup, { positionals }: Input) {
  const [word] = positionals;
  const action = actions.find((one) => one.name === `${name} ${word}`) ?? actions[0];
  if (action === undefined) throw new Error(`${name} has no actions`);
  return { action, words: positionals.slice(1) };
}

/** For commands that do something around an action, such as asking first. */
export async function runAction(action: Action, given: object, input: Input): Promise<Outcome> {
  const data = await action.run(given as never, placeFor(input));
  const { env, cwd, screen = PLAIN } = input;
  const blocks = action.view(data, { env, cwd, now: input.now(), paint: paintFor(screen) });
  return {
    data: action.json === undefined ? data : action.json(data),
    text: showBlocks(blocks, screen),
    ...(action.isBad?.(data) && { exitCode: 1 }),
  };
}

export function placeFor({ env, cwd, now, history, sources, openingRoom, tell }: Input): Place {
  return { env, cwd, home: findHome(env), now, history, sources, openingRoom, ...(tell && { tell }) };
}

function asSubcommand(action: Action): Subcommand {
  const { name, about, guide, examples } = action;
  const all = fieldsOf(action);
  const args = argumentsOf(action);
  return {
    name: name.split(" ").slice(1).join(" "),
    summary: about,
    ...(args !== "" && { args }),
    ...(guide !== undefined && { guide }),
    ...(examples !== undefined && { examples }),
    options: all.filter(isOption).map((field) => optionOf(field.name)),
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

/** What an option is called in several actions, it means in all of them; its help may differ (`overrides`). */
function optionsOf(all: readonly Field[]): Options {
  return Object.fromEntries(
    all.filter(isOption).map((field): [string, Option] => {
      const { name, about, kind, value, fallback, choices } = field;
      const { type, multiple } = parserOf(kind);
      return [
        optionOf(name),
        {
          type,
          ...(multiple && { multiple }),
          help: about,
          ...(kind !== "flag" && { value: wordOf({ name, ...(value !== undefined && { value }) }) }),
          ...(fallback !== undefined && { fallback }),
          ...(choices !== undefined && { choices }),
        },
      ];
    }),
  );
}

function wordsOf(all: readonly Field[]): Readonly<Record<string, Argument>> {
  return Object.fromEntries(
    all
      .filter((field) => field.typed === "word" || field.typed === "rest")
      .map((field) => [
        wordOf(field),
        { help: field.about, ...(field.choices !== undefined && { choices: field.choices }) },
      ]),
  );
}
