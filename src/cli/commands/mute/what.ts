import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { muteKey } from "../../../moments/state/muted.ts";
import { recentItems } from "../../../moments/state/recent-items.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { sourceCalled, sourceWord } from "../../source-words.ts";
import { isCalled } from "../rules/choose-rule.ts";
import { judgeAll } from "../rules/judged.ts";

/** What a mute names, and what people call it. */
export interface Named {
  readonly what: string;
  readonly title?: string;
}

/**
 * What the user means: a source, an item as `continuo why --json` names it, a note's address, a rule of this project, or
 * the title of something that was delivered recently.
 */
export async function whatIsMeant(input: Input, said: string): Promise<Named> {
  const sources = (await input.sources()).map(({ name }) => name);
  const source = sourceCalled(said, sources);
  if (source !== undefined) return { what: source };
  if (said.startsWith("memory://")) return { what: `memory/${said}`, title: said };
  if (sources.some((name) => said.startsWith(`${name}/`))) return { what: said };
  const { judged } = await judgeAll(input);
  const rule = judged.find(({ rule }) => isCalled(said, rule))?.rule;
  if (rule !== undefined) return { what: muteKey("rules", rule.file.key), title: rule.name };
  const delivered = recentItems(findHome(input.env));
  const item = delivered.find(({ title, key }) =>
    [title, key, key.replace(/^memory:\/\//, "")].includes(said),
  );
  if (item !== undefined) return { what: muteKey(item.source, item.key), title: item.title };
  const near = nearest(said, [...sources.map(sourceWord), ...judged.map(({ rule: { name } }) => name)]);
  throw new ContinuoError("mute-unknown", `nothing is called "${oneLine(said)}"`, {
    hint:
      near === undefined
        ? `name a source (${sources.map(sourceWord).join(", ")}), a rule, or something that continuo why shows; what is muted: continuo mutes`
        : `did you mean "${oneLine(near)}"?`,
  });
}
