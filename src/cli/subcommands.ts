import { ContinuoError } from "../base/errors.ts";
import { nearest } from "../base/settings.ts";
import type { Input, Outcome } from "./command.ts";

export type Actions = Readonly<Record<string, (input: Input) => Outcome | Promise<Outcome>>>;

/** The action that the first word after a command names; `fallback` when there is none. */
export function chooseAction(
  command: string,
  actions: Actions,
  input: Input,
  fallback?: string,
): Actions[string] {
  const name = input.positionals[0] ?? fallback;
  const names = Object.keys(actions);
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const near = name === undefined ? undefined : nearest(name, names);
  throw new ContinuoError(
    "usage",
    name === undefined ? `continuo ${command} what?` : `there is no "${command} ${name}"`,
    {
      hint:
        near === undefined
          ? `try: ${names.map((one) => `continuo ${command} ${one}`).join(", ")}`
          : `did you mean "continuo ${command} ${near}"?`,
    },
  );
}
