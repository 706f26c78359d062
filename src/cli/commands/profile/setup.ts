import { ContinuoError } from "../../../base/errors.ts";
import { usable, writeSeed } from "../../../sources/profile/file/change.ts";
import { readSeed, type SeedRead, textOf } from "../../../sources/profile/file/load.ts";
import { UNSET_NAME } from "../../../sources/profile/file/schema.ts";
import { findAnswers, type SetupAnswers, setUp } from "../../../sources/profile/file/setup.ts";
import { refuseToHide } from "../../../sources/profile/learning/profile.ts";
import { visible } from "../../../sources/profile/text.ts";
import { RESPONSE_STYLES, type ResponseStyle } from "../../../sources/profile/types.ts";
import type { Input, Outcome } from "../../command.ts";
import { asker, canAsk } from "../../terminal/input.ts";
import { identityText, LOCK, pathOf, withCommit } from "./decide.ts";

/** Options win over what is found on the machine. Asks only for what is still missing. */
export async function setup(input: Input): Promise<Outcome> {
  const path = pathOf(input);
  const found = readSeed(path);
  if (found.state === "damaged") usable(found);
  await refuseToLose(path, found, input);
  const before = found.state === "missing" || found.state === "damaged" ? undefined : found.config;
  const given = flags(input);
  if (found.state === "ready" && Object.keys(given).length === 0) {
    return {
      data: { path, identity: before?.identity, changed: false },
      text: `Your profile is already set up (${path}). Change it with --name, --ai-name, --style and others.`,
    };
  }
  // In an existing seed only the given options change.
  const known = found.state === "ready" ? nameOf(found) : await findAnswers(input.env);
  const answers = complete({ ...known, ...given }, input);
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
  const lines = [`Written: ${path}`, identityText(config.identity)];
  return {
    data: { path, identity: config.identity, changed: true, committed: result.committed },
    text: withCommit(lines, result),
  };
}

/** If the file is gone or reset but its git history is not, a new seed would hide what was learned. */
async function refuseToLose(path: string, found: SeedRead, input: Input): Promise<void> {
  if (found.state !== "ready" && input.values["new"] !== true) await refuseToHide(path);
}

function nameOf({ config }: Extract<SeedRead, { state: "ready" | "unconfigured" }>): Partial<SetupAnswers> {
  return { principalName: config.identity.principalName };
}

function complete(known: Partial<SetupAnswers>, input: Input): SetupAnswers {
  const { principalName } = known;
  if (principalName !== undefined && principalName !== UNSET_NAME) return { ...known, principalName };
  const asked = canAsk(input) ? visible(asker(input)("What is your name? ") ?? "") : "";
  if (asked !== "" && asked !== UNSET_NAME) return { ...known, principalName: asked };
  throw new ContinuoError("usage", "your name is missing", { hint: "pass --name NAME" });
}

const FLAGS = {
  name: "principalName",
  "ai-name": "aiName",
  catchphrase: "catchphrase",
  voice: "voiceId",
  style: "responseStyle",
  timezone: "timezone",
  locale: "locale",
} as const;

function flags({ values }: Input): Partial<SetupAnswers> {
  const given = Object.entries(FLAGS).flatMap(([flag, field]): [string, string][] => {
    const value = values[flag];
    return typeof value === "string" ? [[field, checked(flag, visible(value))]] : [];
  });
  return Object.fromEntries(given) as Partial<SetupAnswers>;
}

function checked(flag: string, value: string): string {
  if (flag === "style" && !RESPONSE_STYLES.includes(value as ResponseStyle)) {
    throw new ContinuoError("usage", `unknown style "${value}"`, {
      hint: `one of ${RESPONSE_STYLES.join(", ")}`,
    });
  }
  if (value === "" && flag !== "voice")
    throw new ContinuoError("usage", `--${flag} is empty`, { hint: "pass a value or leave it out" });
  return value;
}
