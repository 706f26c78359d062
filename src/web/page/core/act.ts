import type { ActionName, AnswerOf, Asked, InputOf } from "../../api/actions.ts";
import { ApiFailure, api } from "./api.ts";

/** Runs an action of Continuo: what the command of this name does, with its `--json` as the answer. */
export function act<Name extends ActionName>(name: Name, input: InputOf<Name>): Promise<AnswerOf<Name>> {
  return post(name, input);
}

/**
 * The same for an action that asks the person first; undefined after a no. `yes`: the person was shown exactly this input
 * and confirmed it, so that nothing is asked again. What has changed since then is refused.
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
