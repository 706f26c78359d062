import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { readText } from "../store/read-file.ts";
import { configEntries, MAX_CONFIG_BYTES, pointer, type Repository } from "./repository.ts";

/**
 * Entries that a repository's config may have for git to be run there: those that people and tools usually set. None of
 * them makes Continuo's git commands start a program, or else `SAFE_SETTINGS` in run-git.ts overrides it. With any
 * other entry git is not run: a config that came with an archive was written by a stranger.
 */
const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(autocrlf|eol|safecrlf|whitespace|quotepath|longpaths|protectntfs|protecthfs|hidedotfiles)$/,
  /^core\.(sharedrepository|worktree|untrackedcache|preloadindex|trustctime|checkstat|abbrev|commentchar)$/,
  /^core\.(compression|loosecompression|bigfilethreshold|sparsecheckout|sparsecheckoutcone|splitindex)$/,
  /^core\.(commitgraph|multipackindex|createobject|fscache|unsetenvvars)$/,
  // Overridden by `SAFE_SETTINGS`.
  /^core\.(fsmonitor|hookspath|pager|editor|sshcommand|excludesfile|attributesfile)$/,
  /^extensions\.(objectformat|worktreeconfig|relativeworktrees|refstorage|noop|preciousobjects)$/,
  /^remote\..*\.(url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|gh-resolved|followremotehead)$/s,
  /^submodule\.(.*\.)?(url|active|branch|ignore|recurse)$/s,
  /^branch\./,
  /^(user|author|committer)\.[a-z]+$/,
  /^(commit|tag|log|pull|push|fetch|rebase|merge|gc|maintenance|pack|index|feature|color|gui|status)\.[a-z]+$/,
  /^gpg\.([a-z]+\.)?(format|program|allowedsignersfile|mintrustlevel)$/,
  /^lfs\./,
  /^(rerere\.(enabled|autoupdate)|blame\.ignorerevsfile|init\.defaultbranch|i18n\.[a-z]+)$/,
];

/** Why git must not be run in a repository; undefined if it may. */
export function whyUnsafe({ root, gitDir, common }: Repository): string | undefined {
  if (!isOwn(gitDir) || !isOwn(common)) return `${gitDir} belongs to another user`;
  if (existsSync(join(common, "objects", "info", "alternates")))
    return `${common} takes objects from another repository`;
  for (const path of [join(common, "config"), join(gitDir, "config.worktree")]) {
    const reason = whyConfigUnsafe(path);
    if (reason !== undefined) return `${reason}, so git is not run in ${root}`;
  }
  const odd = filesOf({ root, gitDir, common }).find(([path, most]) => isOdd(path, most));
  return odd && `${odd[0]} is too large or not a regular file, so git is not run in ${root}`;
}

const MB = 1024 * 1024;

/**
 * Files that git reads first, and how large each may be: git reads or maps them as a whole, and blocks on a pipe. The
 * largest known repositories have an index of about 100 MB and 50 MB of packed refs.
 */
function filesOf({ root, gitDir, common }: Repository): readonly (readonly [path: string, most: number])[] {
  const head = /^ref: (refs\/[^\0]+)$/.exec(pointer(join(gitDir, "HEAD")) ?? "")?.[1];
  const inCommon = [
    ["packed-refs", 128 * MB],
    ["shallow", 8 * MB],
    ["info/exclude", MB],
    ["info/attributes", MB],
    ["info/grafts", MB],
    ["objects/info/commit-graph", 512 * MB],
    ...(head === undefined ? [] : [[head, MB] as const]),
  ] as const;
  const inGitDir = [
    ["HEAD", MB],
    ["index", 512 * MB],
    ["info/sparse-checkout", 8 * MB],
    ...STATES.map((name) => [name, MB] as const),
  ] as const;
  const inRoot = [
    [".gitignore", MB],
    [".gitattributes", MB],
    [".gitmodules", MB],
  ] as const;
  return [
    ...inCommon.map(([name, most]) => [join(common, name), most] as const),
    ...inGitDir.map(([name, most]) => [join(gitDir, name), most] as const),
    ...inRoot.map(([name, most]) => [join(root, name), most] as const),
  ];
}

/** Files of an operation that git has not finished. */
const STATES = [
  ...["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_START", "sequencer/todo"],
  ...["rebase-merge/head-name", "rebase-merge/onto", "rebase-apply/head-name", "rebase-apply/onto"],
];

/** An absent file is fine, and so is a folder: git rejects a folder itself. */
function isOdd(path: string, most: number): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !stats.isDirectory() && (!stats.isFile() || stats.size > most);
  } catch {
    return true; // not accessible, or a loop of links
  }
}

function whyConfigUnsafe(path: string): string | undefined {
  let text: string;
  try {
    text = readText(path, { maxBytes: MAX_CONFIG_BYTES });
  } catch (error) {
    return systemCode(error) === "ENOENT" ? undefined : `${path} cannot be read (${systemCode(error)})`;
  }
  const entries = configEntries(text);
  if (entries === undefined) return `${path} is written in a way that only git understands`;
  const odd = entries.find(({ key }) => !HARMLESS.some((pattern) => pattern.test(key)));
  return odd && `${path} has an entry that could start a program or is not known (${odd.key.slice(0, 80)})`;
}

/** Git makes the same check (`safe.directory`), but not if the directory is given explicitly. */
function isOwn(folder: string): boolean {
  if (process.getuid === undefined) return true;
  try {
    const { uid } = statSync(folder);
    return uid === process.getuid();
  } catch {
    return false; // not accessible, so not trusted
  }
}
