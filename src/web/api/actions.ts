import type { GIVEN_GROUPS } from "../../moments/given/actions.ts";
import type { MUTE_GROUPS } from "../../moments/mutes/actions.ts";
import type { reviewGroup } from "../../moments/review/actions.ts";
import type { SETTING_GROUPS } from "../../moments/settings/actions.ts";
import type { NOTE_ACTIONS } from "../../sources/notes/actions/index.ts";
import type { SEED_GROUP } from "../../sources/profile/actions/index.ts";
import type { RULE_GROUPS } from "../../sources/rules/actions/index.ts";
import type { SESSIONS } from "../../sources/sessions/actions/index.ts";
import type { SET_GROUPS } from "../../sources/sets/actions.ts";
import type { Failure } from "./failure.ts";

/** The input and the answer of `POST /api/do/GROUP/NAME`, derived from the declarations of the actions. */

type Group =
  | (typeof GIVEN_GROUPS)[number]
  | (typeof MUTE_GROUPS)[number]
  | (typeof SETTING_GROUPS)[number]
  | ReturnType<typeof reviewGroup>
  | (typeof RULE_GROUPS)[number]
  | (typeof SET_GROUPS)[number]
  | Awaited<ReturnType<(typeof NOTE_ACTIONS)[keyof typeof NOTE_ACTIONS]>>
  | typeof SEED_GROUP
  | typeof SESSIONS;
type Declared = Group["actions"][number];

export type ActionName = Declared["name"];
type Types<Name extends ActionName> = NonNullable<Extract<Declared, { readonly name: Name }>["types"]>;
export type InputOf<Name extends ActionName> = Types<Name>["input"];
export type AnswerOf<Name extends ActionName> = Types<Name>["answer"];

/** The body of 409 `not-confirmed`: the question to the user, and the input that a yes runs. */
export interface Asked extends Failure {
  readonly ask: string;
  readonly input: object;
}
