import { ContinuoError } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
import type { Input, Outcome } from "./command.ts";

export type Actions = Readonly<Record<string, (input: Input) => Outcome | Promise<Outcome>>>;
type Given = Pick<Input, "positionals">;

/** The subcommand that the first argument names, or `fallback` without one. */
export function chooseAction<A>(
  command: string,
  actions: Readonly<Record<string, A>>,
  { positionals }: Given,
  fallback: string,
): A {
  const name = positionals[0] ?? fallback;
  const names = Object.keys(actions);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const near = nearest(name, names);
  throw new ContinuoError("usage", `unknown subcommand "${command} ${name}"`, {
    hint:
      near === undefined ? `subcommands: ${names.join(", ")}` : `did you mean "continuo ${command} ${near}"?`,
  });
}
