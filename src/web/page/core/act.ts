import type { ActionName, AnswerOf, Asked, InputOf } from "../../api/actions.ts";
import { ApiFailure, api } from "./api.ts";

/** Runs one of Continuo's actions: does the same as the command of this name, and returns its `--json`. */
export function act<Name extends ActionName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>> {
  return post(name, input);
}

/**
 * The same for an action that asks the user first; undefined after a no. `yes`: the user was already shown exactly this
 * input and confirmed it, so nothing is asked again. If it has changed since, it is refused.
 */
export async function actAsked<Name extends ActionName>(
  name: Name,
  input: InputOf<Name>,
  confirm: "yes" | ((question: string) => boolean | Promise<boolean>),
): Promise<AnswerOf<Name> | undefined> {
  try {
    return await post(name, confirm === "yes" ? { ...input, yes: true } : input);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.code === "not-confirmed")) throw error;
    if (confirm === "yes") throw changedFailure(error);
    const { ask, input: shown } = error.body as Asked;
    return (await confirm(ask)) ? actAsked(name, shown as InputOf<Name>, "yes") : undefined;
  }
}

function post<Name extends ActionName>(name: Name, body: object): Promise<AnswerOf<Name>> {
  return api.post(`/do/${name.replace(" ", "/")}`, body);
}

function changedFailure({ status, code, body }: ApiFailure): ApiFailure {
  return new ApiFailure(status, code, "this has changed since it was shown", "look at it again", body);
}
