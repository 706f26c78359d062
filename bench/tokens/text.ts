/**
 * Builds the optional folder CONTINUO_TOKEN_TEXT (one sub-folder per kind of text) out of bare or normal
 * clones of public repositories, so that the fit can be repeated:
 *   node bench/tokens/text.ts <folder of clones> <output folder>
 * A clone is looked for as <owner>+<name>/repo, <owner>+<name> or <name>. Missing ones are skipped.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [clones, out] = process.argv.slice(2);
if (!clones || !out) throw new Error("usage: node bench/tokens/text.ts <folder of clones> <output folder>");

const DOCS = "docs/(concepts|tasks|setup|tutorials|contribute)/.*[.]md$";
const K8S = "kubernetes/website";
const TLDR = "tldr-pages/tldr";
const MDN = "mdn/translated-content";

/** Repository, kind of text, pattern on the path, how many files. */
type Pick = [repo: string, kind: string, pattern: string, count: number];

const files: Pick[] = [
  ...["ja", "ko", "ru", "es", "fr"].map((l): Pick => [MDN, l, `^files/${l}/(web|learn|glossary)/.*md$`, 60]),
  ...["ja", "ko", "ru", "es", "fr", "de"].map((l): Pick => [K8S, l, `^content/${l}/${DOCS}`, 60]),
  ...["pl", "pt-br", "it", "vi"].map((l): Pick => [K8S, "latin", `^content/${l}/${DOCS}`, 12]),
  ...["tr", "cs", "nl", "sv", "fi", "ro", "id"].map((l): Pick => [TLDR, "latin", `^pages[.]${l}/`, 12]),
  ...["uk", "hi", "fa", "bn"].map((l): Pick => [K8S, "script", `^content/${l}/${DOCS}`, 12]),
  ...["ar", "el", "th", "ta", "ne", "bg"].map((l): Pick => [TLDR, "script", `^pages[.]${l}/`, 12]),
  ["excalidraw/excalidraw", "script", "/locales/(ar|el|he|km|kk|my|pa|si|ta|th|uk|mr|bg)-.*json$", 20],
  [MDN, "zh", "^files/zh-cn/(web|learn|glossary)/.*md$", 60],
  [MDN, "zh", "^files/zh-tw/(web|learn|glossary)/.*md$", 40],
  [K8S, "zh", `^content/zh-cn/${DOCS}`, 60],
  ["freeCodeCamp/news-translation", "zh", "^chinese/articles/.*md$", 40],
  ["reactjs/ja.react.dev", "ja", "^src/content/.*md$", 40],
  ["reactjs/de.react.dev", "de", "^src/content/(learn|reference)/.*md$", 40],
  ["logpai/loghub", "log", "_2k[.]log$", 30],
  ["pallets/flask", "code", "[.]py$", 60],
  ["cli/cli", "code", "[.]go$", 60],
  ["BurntSushi/ripgrep", "code", "[.]rs$", 60],
  ["vitejs/vite", "ts", "^packages/vite/src/.*[.]ts$", 80],
  ["excalidraw/excalidraw", "ts", "^(packages|excalidraw-app)/.*[.]tsx?$", 80],
  ["DefinitelyTyped/DefinitelyTyped", "dts", "^types/.*[.]d[.]ts$", 120],
  ["expressjs/express", "js", "[.]js$", 80],
  [K8S, "yaml", "examples/.*[.]yaml$", 60],
  ["SchemaStore/schemastore", "json", "^src/(schemas/json|test)/.*[.]json$", 120],
];
const diffs = ["cli/cli", "pallets/flask", "vitejs/vite", "SchemaStore/schemastore", "reactjs/ja.react.dev"];

function clone(repo: string): string | undefined {
  const flat = repo.replace("/", "+");
  return [`${flat}/repo`, flat, repo.split("/")[1]!].map((d) => join(clones!, d)).find((d) => existsSync(d));
}

function git(dir: string, ...args: string[]): string {
  try {
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    return execFileSync("git", ["-C", dir, ...args], { encoding: "utf8", maxBuffer: 1 << 28, stdio });
  } catch {
    return ""; // a partial clone lists objects it does not hold
  }
}

function save(kind: string, name: string, text: string): void {
  if (text === "") return;
  mkdirSync(join(out!, kind), { recursive: true });
  writeFileSync(join(out!, kind, name.replace(/[^\w.-]+/g, "_").slice(-120)), text);
}

const hash = (s: string): string => createHash("sha1").update(s).digest("hex");

for (const [repo, kind, pattern, count] of files) {
  const dir = clone(repo);
  if (!dir) continue;
  const match = new RegExp(pattern);
  // Hash order: a spread over the tree that is the same on every run.
  const paths = git(dir, "ls-tree", "-r", "HEAD", "--name-only")
    .split("\n")
    .filter((p) => match.test(p))
    .sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
  for (const path of paths.slice(0, count)) {
    // Translated pages keep the English original in HTML comments; only the translation is wanted.
    const text = git(dir, "show", `HEAD:${path}`).replace(/<!--[\s\S]*?-->\n*/g, "");
    save(kind, `${repo}/${path}`, text);
  }
}
for (const repo of diffs) {
  const dir = clone(repo);
  if (!dir) continue;
  const commits = git(dir, "log", "--no-merges", "--format=%H", "-n", "1000").split("\n");
  for (const commit of commits.filter((_, i) => i % 20 === 0)) {
    const text = git(dir, "show", "--format=", commit, "--", ".", ":!*.lock", ":!*.sum");
    save("diff", `${repo}-${commit}.diff`, text.slice(0, 40_000));
  }
}
