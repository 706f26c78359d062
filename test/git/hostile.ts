import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder, write } from "../support/world.ts";

/** Runs real git without the machine's own config. */
export function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, "-c", "protocol.file.allow=always", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();
}

export interface Planted {
  /** The session's working directory. */
  readonly cwd: string;
  /** The git directory with a config written by a stranger. */
  readonly gitDir: string;
  /** A script that creates `mark` when it is started. */
  readonly script: string;
  readonly mark: string;
}

/** The same length as before: git would see a change of size without reading the file. */
const CHANGED = "export const a = 2;\n";

/** A folder with a script, and a repository in which every tracked file changed since the last commit. */
function begin(name: string): Planted & { readonly root: string } {
  const folder = temporaryFolder(name);
  const mark = join(folder, "RAN");
  const script = join(folder, "evil");
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(script, 0o755);
  const root = join(folder, "project");
  write(root, {
    "a.ts": "export const a = 1;\n",
    "old.ts": "export const old = 1;\n".repeat(5),
    ".gitattributes": "*.ts filter=evil diff=evil merge=evil\n",
    ".gitignore": "*.log\n",
    ".continuo/rules/a.md": "Rule A.",
  });
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-qm", "first");
  git(root, "mv", "old.ts", "new.ts");
  git(root, "commit", "-qm", "renamed");
  writeFileSync(join(root, "a.ts"), CHANGED);
  return { root, cwd: root, gitDir: join(root, ".git"), script, mark };
}

export const anArchive = (): Planted => begin("archive");

export const PLACES: Readonly<Record<string, () => Planted>> = {
  "an unpacked archive with its .git": anArchive,
  "a folder of a clone that looks like a bare repository": () => {
    const planted = begin("bare");
    const cwd = join(planted.root, "sub");
    cpSync(planted.gitDir, cwd, { recursive: true });
    write(cwd, {
      ".gitattributes": "* filter=evil diff=evil\n",
      "a.ts": CHANGED,
      ".continuo/rules/b.md": "Rule B.",
    });
    appendFileSync(join(cwd, "config"), "[core]\n\tworktree = .\n\tbare = false\n");
    return { ...planted, cwd, gitDir: cwd };
  },
  "a submodule with a config of its own": () => {
    const planted = begin("submodule");
    const inner = begin("inner");
    git(inner.root, "checkout", "-q", "--", ".");
    git(planted.root, "submodule", "add", "-q", inner.root, "lib");
    git(planted.root, "commit", "-qm", "submodule");
    writeFileSync(join(planted.root, "lib", "a.ts"), CHANGED);
    return { ...planted, gitDir: join(planted.root, ".git", "modules", "lib") };
  },
  "a linked worktree with a config of its own": () => {
    const planted = begin("worktree");
    const tree = join(planted.root, "..", "tree");
    git(planted.root, "worktree", "add", "-q", "-b", "tree", tree);
    git(planted.root, "config", "extensions.worktreeConfig", "true");
    writeFileSync(join(tree, "a.ts"), CHANGED);
    const gitDir = join(planted.gitDir, "worktrees", "tree");
    rmSync(join(gitDir, "config.worktree"), { force: true });
    return { ...planted, cwd: tree, gitDir };
  },
};

type Plant = (planted: Planted) => void;

const config =
  (text: (script: string) => string): Plant =>
  ({ gitDir, script }) => {
    const isWorktree = existsSync(join(gitDir, "commondir"));
    appendFileSync(join(gitDir, isWorktree ? "config.worktree" : "config"), `\n${text(script)}\n`);
  };

const FILTER = (script: string) => `[filter "evil"]\n\tclean = ${script} clean\n\trequired = true`;

/** Plants one vector; the returned function removes it. */
export function plantIn(planted: Planted, plant: Plant): () => void {
  const { gitDir, mark } = planted;
  const kept = ["config", "config.worktree"].map((name) => join(gitDir, name));
  const texts = kept.map((path) => (existsSync(path) ? readFileSync(path) : undefined));
  plant(planted);
  rmSync(mark, { force: true });
  return () => {
    for (const [i, path] of kept.entries()) {
      const text = texts[i];
      if (text === undefined) rmSync(path, { force: true });
      else writeFileSync(path, text);
    }
    for (const name of ["hooks", "more", "more-hooks", "objects/info/alternates"])
      rmSync(join(gitDir, name), { recursive: true, force: true });
  };
}

/** Each way in which a repository can make git start a program. */
export const VECTORS: Readonly<Record<string, Plant>> = {
  "filter clean": config(FILTER),
  "filter process": config((script) => `[filter "evil"]\n\tprocess = ${script}\n\tsmudge = ${script}`),
  "filter in the old spelling": config((script) => `[filter.evil]\n\tclean = ${script} old`),
  "filter on the section's line": config((script) => `[filter "evil"] clean = ${script} line`),
  "filter behind a continued line": config(
    (script) => `[user]\n\tname = a\\\n[b]\n[filter "evil"]\n\tclean = ${script}`,
  ),
  include: (planted) => {
    writeFileSync(join(planted.gitDir, "more"), `${FILTER(planted.script)}\n`);
    config(() => "[include]\n\tpath = more")(planted);
  },
  includeIf: (planted) => {
    writeFileSync(join(planted.gitDir, "more"), `${FILTER(planted.script)}\n`);
    config(() => `[includeIf "gitdir:/**"]\n\tpath = ${join(planted.gitDir, "more")}`)(planted);
  },
  fsmonitor: config((script) => `[core]\n\tfsmonitor = ${script}\n\tfsmonitorHookVersion = 1`),
  "fsmonitor alone": config((script) => `[core]\n\tfsmonitor = ${script}`),
  "external diff and textconv": config(
    (script) =>
      `[diff]\n\texternal = ${script}\n[diff "evil"]\n\ttextconv = ${script}\n\tcommand = ${script}`,
  ),
  signatures: config(
    (script) => `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${script}\n[commit]\n\tgpgSign = true`,
  ),
  hooks: ({ gitDir, script }) => {
    mkdirSync(join(gitDir, "hooks"), { recursive: true });
    for (const name of ["post-index-change", "post-checkout", "pre-commit", "fsmonitor-watchman"])
      cpSync(script, join(gitDir, "hooks", name));
  },
  "hooks path": (planted) => {
    mkdirSync(join(planted.gitDir, "more-hooks"));
    cpSync(planted.script, join(planted.gitDir, "more-hooks", "post-index-change"));
    config(() => `[core]\n\thooksPath = ${join(planted.gitDir, "more-hooks")}`)(planted);
  },
  "hooks in the config": config(
    (script) => `[hook "evil"]\n\tcommand = ${script}\n\tevent = post-index-change`,
  ),
  "a missing object of a partial clone": (planted) => {
    // Anything that git fetches now goes through this helper.
    config(
      (script) =>
        `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n\turl = ext::${script} fetch\n[protocol]\n\tallow = always`,
    )(planted);
  },
  "credentials, ssh, proxy and askpass": config(
    (script) =>
      `[credential]\n\thelper = !${script}\n[core]\n\tsshCommand = ${script}\n\tgitProxy = ${script}\n\taskPass = ${script}\n\talternateRefsCommand = ${script}`,
  ),
  "pager and editor": config(
    (script) => `[core]\n\tpager = ${script}\n\teditor = ${script}\n[pager]\n\tstatus = ${script}`,
  ),
  aliases: config((script) => `[alias]\n\tstatus = !${script}\n\tls-files = !${script}\n\tlog = !${script}`),
  "submodule update": config(
    (script) => `[submodule "lib"]\n\tupdate = !${script}\n[status]\n\tsubmoduleSummary = true`,
  ),
  "trace to a program's socket": config((script) => `[trace2]\n\teventTarget = af_unix:${script}.sock`),
  alternates: ({ gitDir }) => write(gitDir, { "objects/info/alternates": "/nowhere/objects\n" }),
};
