import { ContinuoError } from "../../../base/errors.ts";
import { fields, flag, oneOf, optional } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { usable, writeSeed } from "../file/change.ts";
import { readSeed, textOf } from "../file/load.ts";
import { isCatchphraseSet, UNSET_AI_NAME, UNSET_NAME } from "../file/schema.ts";
import { findAnswers, type SetupAnswers, setUp } from "../file/setup.ts";
import { refuseToHide } from "../learning/profile.ts";
import { resolveSeedPath } from "../settings.ts";
import { visible } from "../text.ts";
import { type IdentityLayer, RESPONSE_STYLES } from "../types.ts";
import { commitBlocks, LOCK, words } from "./decide.ts";

const SAME = { fallback: "unchanged" };

/** Options take precedence over what is found on the machine. Asks only for what is still missing. */
export const setup = action({
  name: "seed setup",
  about: "create or change your profile",
  guide: "In an existing profile, only what the options name is changed.",
  effect: "writes",
  changes: "inbox",
  input: fields({
    new: optional(flag("start a new profile even if the history has an older one")),
    name: optional(words("your name", { fallback: "asked, or unchanged" })),
    aiName: optional(words("name of the assistant", { value: "NAME", ...SAME })),
    catchphrase: optional(words("greeting of the assistant", { value: "TEXT", ...SAME })),
    voice: optional(words("voice, for programs that speak", { value: "ID", least: 0, ...SAME })),
    style: optional(oneOf("how long answers should be", RESPONSE_STYLES, SAME)),
    timezone: optional(words("time zone, such as Europe/Zurich", { value: "ZONE", ...SAME })),
    locale: optional(words("language and region, such as de-CH", SAME)),
  }),
  examples: [
    ["continuo seed setup --name Sam", "create a profile"],
    ["continuo seed setup --style concise", "ask for short answers"],
  ],
  async run({ new: isNew = false, name, voice, style, ...more }, place) {
    const path = resolveSeedPath(undefined, place.env);
    const found = readSeed(path);
    if (found.state === "damaged") usable(found);
    // If the file was deleted or reset but its git history exists, a new seed would hide what was learned.
    if (found.state !== "ready" && !isNew) await refuseToHide(path);
    const before = found.state === "missing" || found.state === "damaged" ? undefined : found.config;
    const said = { principalName: name, voiceId: voice, responseStyle: style, ...more };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    if (before !== undefined && found.state === "ready" && Object.keys(given).length === 0)
      return { path, identity: before.identity, result: undefined };
    // In an existing seed only the given options change.
    const known =
      before !== undefined && found.state === "ready"
        ? { principalName: before.identity.principalName }
        : await findAnswers(place.env);
    const answers = await complete({ ...known, ...given }, place);
    const config = setUp(answers, before);
    const result = await writeSeed(
      path,
      config,
      (now) => now.state === found.state && textOf(now) === textOf(found),
      found.state === "ready"
        ? { kind: "Update", what: "identity" }
        : { kind: "Init", what: `seed of ${visible(answers.principalName)}` },
      LOCK,
    );
    return { path, identity: config.identity, result };
  },
  json: ({ path, identity, result }) =>
    result === undefined
      ? { path, identity, changed: false }
      : { path, identity, changed: true, committed: result.committed },
  view: ({ path, identity, result }) =>
    result === undefined
      ? [
          exact(
            `Your profile is already set up (${path}). Change it with --name, --ai-name, --style and others.`,
          ),
        ]
      : [exact(`Written: ${path}`), exact(identityText(identity)), ...commitBlocks(result)],
});

async function complete(known: Partial<SetupAnswers>, { askLine }: Place): Promise<SetupAnswers> {
  const { principalName } = known;
  if (principalName !== undefined && principalName !== UNSET_NAME) return { ...known, principalName };
  const asked = visible((await askLine?.("What is your name? ")) ?? "");
  if (asked !== "" && asked !== UNSET_NAME) return { ...known, principalName: asked };
  throw new ContinuoError("usage", "your name is missing", { hint: "pass --name NAME" });
}

/** What the user set. The format's defaults count as not set. */
export function identityText(identity: IdentityLayer): string {
  const { responseStyle, timezone, locale } = identity.preferences;
  return [
    identity.principalName === UNSET_NAME ? "" : `User: ${visible(identity.principalName)}`,
    identity.aiName === UNSET_AI_NAME ? "" : `Assistant: ${visible(identity.aiName)}`,
    isCatchphraseSet(identity) ? `Greeting: "${visible(identity.catchphrase)}"` : "",
    `Style: ${responseStyle}, time zone: ${visible(timezone)}, locale: ${visible(locale)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
