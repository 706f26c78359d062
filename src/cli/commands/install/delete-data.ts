import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { sidecarPath } from "../../../sources/profile/file/sidecar.ts";
import { resolveSeedPath } from "../../../sources/profile/settings.ts";
import { findHome, userHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import type { Ask } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { deleteData, type OwnData, ownNames } from "./own-data.ts";
import { filesInWords, pathInWords } from "./words.ts";

/** What to delete, if anything, and what to say if nothing. */
interface Deletion {
  readonly data?: OwnData;
  readonly lines: readonly string[];
}

/** Asks about the folder, before anything is changed. `users`: the agents that keep using it. */
export async function askDeletion(
  input: Input,
  users: readonly string[],
  {
    data,
    isPreview,
    ask,
  }: { readonly data: OwnData | undefined; readonly isPreview: boolean; readonly ask: Ask | undefined },
): Promise<Deletion> {
  const no = (...lines: string[]): Deletion => ({ lines });
  if (input.values["data"] !== true) return no();
  if (data === undefined) return no("There is no data of Continuo's to delete.");
  const about = describe(data, input.env);
  if (isPreview) return no(`Would delete ${about}`);
  if (users.length > 0) return no(`Not deleted: ${about}. Still used by ${users.join(", ")}.`);
  const left = `Not deleted: ${about}`;
  const question = `Delete ${about}? This cannot be undone. [y]es / [N]o`;
  const asked = `${wrapOn(question, input.screen ?? PLAIN, { hang: 2 })} `;
  if (ask !== undefined && !/^y(es)?$/i.test((await ask(asked)) ?? "")) return no(left);
  return { data, lines: [left] };
}

/**
 * Deletes the folder, and says so. Refuses if other files were added meanwhile: the question may have been open for an
 * hour.
 */
export function deleteNow(
  { env }: Input,
  data: OwnData,
): { readonly isDeleted: boolean; readonly lines: string[] } {
  const about = describe(data, env);
  // Computed first, because the settings that contain the profile's path are in the folder.
  const kept = [
    "Kept: rules and notes in your projects, and the past sessions of your agents",
    ...profileLines(env),
    ...chatLines(env),
  ];
  try {
    ownNames(findHome(env), env);
    kept.unshift(
      ...deleteData(data).map(
        (path) => `Kept: ${pathInWords(path, env)}, because something else is mounted there`,
      ),
    );
  } catch (error) {
    return { isDeleted: false, lines: [`Not deleted: ${about}. ${describeError(error).message}`] };
  }
  return { isDeleted: true, lines: [`Deleted ${about}`, ...kept] };
}

/** The profile is in a folder that other tools use too, so deleting it is the user's decision. */
function profileLines(env: NodeJS.ProcessEnv): string[] {
  const seed = resolveSeedPath(undefined, env);
  const files = [seed, sidecarPath(seed)].filter((file) => existsSync(file));
  if (files.length === 0) return [];
  const folder = dirname(seed);
  const lines = [`Kept: your profile, with what you accepted: ${filesInWords(files, env)}`];
  // A folder that the user chose may contain anything.
  if (folder !== join(userHome(env), ".pai")) return lines;
  const path = pathInWords(folder, env);
  return [...lines, `  Other tools may have files in ${path} too. To delete all of it: rm -rf ${path}`];
}

/**
 * The page's chats are sessions of GitHub Copilot, which stores them in its own folder, even if nothing else uses it.
 */
function chatLines(env: NodeJS.ProcessEnv): string[] {
  const sessions = env["COPILOT_HOME"] || join(userHome(env), ".copilot");
  return existsSync(join(findHome(env).root, "chat")) && existsSync(sessions)
    ? [`Kept: the chats of the page, with Copilot's own sessions: ${pathInWords(sessions, env)}`]
    : [];
}

function describe(data: OwnData, env: NodeJS.ProcessEnv): string {
  const inside = [
    count(data.files, "file"),
    data.bytes < 2 ** 20 ? "under 1 MB" : `${Math.round(data.bytes / 2 ** 20)} MB`,
    ...(data.notes === 0 ? [] : [count(data.notes, "note")]),
    ...(data.rules === 0 ? [] : [count(data.rules, "rule of yours", "rules of yours")]),
  ].join(", ");
  return `${pathInWords(data.root, env)} (${inside})`;
}
