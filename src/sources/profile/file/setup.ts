import { join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { runGit } from "../../../git/run-git.ts";
import { readText } from "../../../store/read-file.ts";
import type { IdentityLayer, ResponseStyle, SeedConfig } from "../types.ts";
import { catchphraseOf, defaultSeed, isCatchphraseSet } from "./schema.ts";

/** What users say about themselves. Missing answers are found on this machine or have a default. */
export interface SetupAnswers {
  readonly principalName: string;
  readonly aiName?: string;
  readonly catchphrase?: string;
  readonly voiceId?: string;
  readonly responseStyle?: ResponseStyle;
  readonly timezone?: string;
  readonly locale?: string;
}

/** Answers that can be found on this machine, so that the user need not be asked. */
export async function findAnswers(env: NodeJS.ProcessEnv): Promise<Partial<SetupAnswers>> {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const pai = paiSettings(env);
  const name =
    pai.principalName ??
    (
      await runGit(["config", "--global", "--get", "user.name"], { asUser: true, timeoutMs: 4000, env })
    ).out.trim();
  return {
    timezone: env["TZ"]?.replace(/^:/, "") || timeZone || "UTC",
    locale: localeOf(env) ?? locale,
    ...pai,
    ...(name === "" ? {} : { principalName: name }),
  };
}

/** PAI has the same data in its settings. */
function paiSettings(env: NodeJS.ProcessEnv): Partial<SetupAnswers> {
  const home = env["HOME"] || env["USERPROFILE"] || "";
  for (const folder of [env["PAI_DIR"], join(home, ".claude")]) {
    if (!folder) continue;
    try {
      const raw: unknown = parseBounded(
        readText(join(folder, "settings.json"), { maxBytes: 4 * 1024 * 1024 }),
      );
      const ai = isRecord(raw) && isRecord(raw["daidentity"]) ? raw["daidentity"] : {};
      const principal = isRecord(raw) && isRecord(raw["principal"]) ? raw["principal"] : {};
      const found = {
        principalName: principal["name"],
        timezone: principal["timezone"],
        aiName: ai["displayName"] || ai["name"],
        catchphrase: ai["startupCatchphrase"],
        voiceId: ai["voiceId"],
      };
      const known = Object.entries(found).filter(([, value]) => typeof value === "string" && value !== "");
      if (known.length > 0) return Object.fromEntries(known);
    } catch {
      // Missing or not JSON: the next folder may have it.
    }
  }
  return {};
}

/** `de_CH.UTF-8` becomes `de-CH`; `C` is ignored. */
function localeOf(env: NodeJS.ProcessEnv): string | undefined {
  const set = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return /^([a-z]{2,3})_([A-Z]{2})\b/.exec(set)?.slice(1).join("-");
}

/** The seed, or a new one, with these answers. Learnings are kept. */
export function setUp(answers: SetupAnswers, before: SeedConfig = defaultSeed()): SeedConfig {
  const { identity } = before;
  const aiName = answers.aiName ?? identity.aiName;
  const isSet = isCatchphraseSet(identity);
  const after: IdentityLayer = {
    ...identity,
    principalName: answers.principalName,
    aiName,
    catchphrase: answers.catchphrase ?? (isSet ? identity.catchphrase : catchphraseOf(aiName)),
    voiceId: answers.voiceId ?? identity.voiceId,
    preferences: {
      ...identity.preferences,
      responseStyle: answers.responseStyle ?? identity.preferences.responseStyle,
      timezone: answers.timezone ?? identity.preferences.timezone,
      locale: answers.locale ?? identity.preferences.locale,
    },
  };
  return { ...before, identity: after };
}
