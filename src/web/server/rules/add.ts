import { type AddedRule, add } from "../../../cli/commands/rules/add.ts";
import type { AddRule } from "../../api/rules.ts";
import type { Web } from "../web.ts";

/** Nothing is read from it. */
const NO_STDIN = -1;

interface Wanted extends Pick<AddRule, "text" | "scope"> {
  readonly globs?: string | undefined;
  readonly name?: string | undefined;
}

/** Exactly `continuo rules add`, with its checks and its warnings. */
export async function addRule(
  web: Web,
  root: string,
  { text, scope, globs, name }: Wanted,
): Promise<AddedRule> {
  const given = (value: string | undefined) => (value?.trim() ? value : undefined);
  const files = given(globs);
  const { data } = await add({
    ...web,
    stdin: NO_STDIN,
    positionals: ["add", text],
    values: {
      ...(scope === "user" ? { user: true } : { project: root }),
      ...(files === undefined ? {} : { globs: [files] }),
      name: given(name),
    },
  });
  web.publish({ type: "rules" });
  return data;
}
