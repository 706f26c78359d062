import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { commandWord, oneLine, shortId } from "../../../base/for-terminal.ts";
import { withoutRuleExtension } from "../../../base/slug.ts";
import { nearest } from "../../../base/text.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { walkNotes } from "../../../sources/notes/files/list-notes.ts";
import { type Memory, withMemory } from "../../../sources/notes/memory.ts";
import { resolveSeedPath } from "../../../sources/profile/settings.ts";
import { containing } from "../../../sources/rules/actions/choose-rule.ts";
import type { RuleFile } from "../../../sources/rules/files/folders.ts";
import { judge } from "../../../sources/rules/judge.ts";
import { isCalled } from "../../../sources/rules/named.ts";
import type { Dialect } from "../../../sources/rules/rule.ts";
import { recordPath } from "../../../sources/sessions/records/files.ts";
import { slug } from "../../../sources/sessions/references/resolve.ts";

export type Openable =
  | { readonly kind: "note" | "settings" | "profile" | "record"; readonly path: string }
  | { readonly kind: "rule"; readonly path: string; readonly dialect: Dialect };

const SETTINGS = ["settings", "config", "config.json"];
const PROFILE = ["profile", "seed", "seed.json"];

/** The file that a name refers to: the settings, the profile, a rule, a note, or a past session's record. */
export async function findFile(place: Place, wanted: string): Promise<Openable> {
  const asPath = pathFrom(place, wanted);
  const rules = await ruleFiles(place);
  const found: Openable[] = [
    ...ownFiles(place, wanted, asPath),
    ...rules.filter((one) => isCalled(wanted, one) || one.file.path === asPath).map(toOpenable),
  ];
  const { env, now, home } = place;
  const { notes, others } = await withMemory({ env, now, home, syncMs: 0 }, async (memory) =>
    notesCalled(memory, wanted, asPath),
  );
  found.push(...notes);
  if (found.length === 0) found.push(...partlyCalled(wanted, [...rules.flatMap(namesOfRule), ...others]));
  // A session's name may be any words, so what users wrote themselves comes first.
  if (found.length === 0) found.push(...(await recordsCalled(place, wanted)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    const near = others.slice(0, COMPARED).map(({ name }) => name);
    const names = [
      "settings",
      "profile",
      ...rules.map(({ file }) => withoutRuleExtension(file.name)),
      ...near,
    ];
    const close = nearest(wanted, names) ?? containing(wanted, names);
    throw new ContinuoError("no-such-file", `nothing is called "${wanted}"`, {
      hint: close === undefined ? OPENABLE : `did you mean: continuo open ${commandWord(close)}`,
    });
  }
  const each = found.slice(0, LISTED).map(({ kind, path }) => `  ${kind}  ${oneLine(shortPath(path, env))}`);
  if (found.length > LISTED) each.push(`  and ${found.length - LISTED} more`);
  throw new ContinuoError("ambiguous", `"${wanted}" can mean ${found.length} files`, {
    hint: ["give the path of one:", ...each],
  });
}

const OPENABLE = [
  "what can be opened:",
  "  settings",
  "  profile",
  "  a rule by its name (list them: continuo rules list)",
  "  a note by its title (find one: continuo search WORDS)",
  "  the record of a past session by its name or id (list them: continuo sessions list)",
];

/** Continuo's own files, by the names that users have for them. */
function ownFiles({ env, home: { config } }: Place, wanted: string, asPath: string): Openable[] {
  if (SETTINGS.includes(wanted) || asPath === config) return [{ kind: "settings", path: config }];
  const profile = resolveSeedPath(undefined, env);
  if (!PROFILE.includes(wanted) && asPath !== profile) return [];
  if (existsSync(profile)) return [{ kind: "profile", path: profile }];
  throw new ContinuoError("no-such-file", "there is no profile yet", {
    hint: "it is created when you accept a suggestion (continuo review), or with: continuo seed setup",
  });
}

/** The record of the session with this name or id. */
async function recordsCalled({ env, home, others: ask }: Place, wanted: string): Promise<Openable[]> {
  const [session, ...others] = (await (await ask?.())?.sessionsCalled(wanted)) ?? [];
  if (session === undefined || others.length > 0) return [];
  const { host, id } = session;
  const path = recordPath({ home, env }, { host, id });
  if (existsSync(path)) return [{ kind: "record", path }];
  throw new ContinuoError("no-such-file", `the session "${wanted}" has no record yet`, {
    hint: `read the session itself: continuo sessions show ${shortId(id)}`,
  });
}

async function ruleFiles(place: Place) {
  const { catalog } = await judge(place, { directory: place.cwd });
  const hidden = [
    ...catalog.repeated.map(({ file }) => file),
    ...catalog.pending,
    ...catalog.rejects.flatMap(({ file }) => file ?? []),
  ];
  return [...catalog.rules, ...hidden.map((file) => ({ name: file.name, file }))];
}

function toOpenable({ file: { path, dialect } }: { readonly file: RuleFile }): Openable {
  return { kind: "rule", path, dialect };
}

/** How many possible files are listed. */
const LISTED = 10;

/** A file with one of its names. */
interface Named {
  readonly name: string;
  readonly file: Openable;
}

function namesOfRule(rule: { readonly name: string; readonly file: RuleFile }): Named[] {
  return [rule.name, withoutRuleExtension(rule.file.name)].map((name) => ({ name, file: toOpenable(rule) }));
}

/** The files whose name begins like this; if there are none, those whose name contains it as whole words. */
function partlyCalled(wanted: string, all: readonly Named[]): Openable[] {
  const part = slug(wanted);
  // A path must match completely.
  if (part === "" || /[/\\]/.test(wanted)) return [];
  const slugs = all.map(({ name, file }) => ({ name: slug(name), file }));
  const begun = slugs.filter(({ name }) => name.startsWith(part));
  const chosen = begun.length > 0 ? begun : slugs.filter(({ name }) => `-${name}-`.includes(`-${part}-`));
  return [...new Map(chosen.map(({ file }) => [file.path, file])).values()];
}

/** How many names are compared: a hint must not take a second. */
const COMPARED = 2000;

async function notesCalled(
  memory: Memory,
  wanted: string,
  asPath: string,
): Promise<{ notes: Openable[]; others: Named[] }> {
  const isPath = isAbsolute(wanted) || /^[~.]?[/\\]/.test(wanted);
  try {
    const { path } = await memory.peek(isPath ? asPath : wanted);
    return { notes: [{ kind: "note", path }], others: [] };
  } catch (error) {
    const { code } = describeError(error);
    if (code !== "note-not-found" && code !== "note-path" && code !== "note-unreadable") throw error;
    const others: Named[] = [];
    for (const root of memory.roots)
      for (const { path } of walkNotes(root))
        others.push({
          name: withoutRuleExtension(path.replace(/^.*[/\\]/, "")),
          file: { kind: "note", path },
        });
    return { notes: [], others };
  }
}

function pathFrom({ cwd, env }: Place, wanted: string): string {
  return resolve(cwd, wanted.replace(/^~(?=$|[/\\])/, env["HOME"] ?? "~"));
}
