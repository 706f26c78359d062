/**
 * Lines and files below `src` by capability, across the layers. `npm run lines` counts the working tree, `npm run lines --
 * REVISION` shows the change since, `npm run lines -- REVISION OTHER` the change between two.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The first that fits counts. */
const CAPABILITIES: readonly (readonly [string, RegExp])[] = [
  [
    "actions: one table for all front ends",
    /^(moments|cli)\/actions|^web\/server\/actions|\/actions(\/|\.ts)/,
  ],
  ["rules: checks, runs, tries, drafts, report", /^sources\/rules\/(checks|run|try|drafts|report)\//],
  ["rules: find, parse, match, deliver", /^sources\/rules\//],
  ["notes: graph, larger model's vectors, other engine", /^sources\/notes\/(graph|vectors|external)\//],
  ["notes: files, index, search", /^sources\/notes\//],
  ["seed: learnings heard in prompts", /^sources\/profile\/learning\/extraction\//],
  ["seed: file, propose, decide", /^sources\/profile\//],
  ["sessions: index, search, lists", /^sources\/sessions\/(indexing|search)\//],
  ["sessions: records, answers, @@, left off", /^sources\/sessions\//],
  ["context sets, card", /^sources\/sets\//],
  ["hosts: readers of past sessions", /^hosts\/(shared\/history|[^/]+\/history)\//],
  ["hosts: Copilot's chat", /^hosts\/copilot\/chat\//],
  ["hosts: adapters, ports, MCP, in-process", /^hosts\//],
  ["moments, compose", /^(moments|compose)\//],
  ["search engine", /^search\//],
  ["secrets", /^store\/secrets\//],
  ["store: files, locks, SQLite, health", /^store\//],
  ["base, git, markdown, models, entries", /^(base|git|markdown|models|entries)\/|^sources\//],
  ["connect and mend: install, update, doctor", /^setup\/|^cli\/commands\/(install|update|uninstall|doctor)/],
  ["command line: terminal, help, completion", /^cli\/(terminal|manual|completion)\//],
  ["command line: the other commands", /^cli\//],
  ["page: chat", /^web\/.*\/chat(\/|\.)/],
  ["page: sessions, live follow", /^web\/.*\/(sessions?|follow)(\/|\.)/],
  ["page: notes, graph", /^web\/.*\/(memory|notes|graph)(\/|\.)/],
  ["page: applets, card, files", /^web\/.*\/(applets|cards?|files)(\/|\.)/],
  [
    "page: given, inbox, rules, overview, connect",
    /^web\/.*\/(given|inbox|suggestions|rules|overview|home|connect)(\/|\.)/,
  ],
  ["page: shell, parts, server", /^web\//],
];

const CODE = /\.(ts|tsx|css|html|json)$/;
const ROOT = join(import.meta.dirname, "..");

interface File {
  readonly path: string;
  readonly lines: number;
}

const linesOf = (files: readonly File[]) => files.reduce((sum, { lines }) => sum + lines, 0);

/** Code below a folder, at a revision or in the working tree. */
function code(folder: string, revision: string | undefined): readonly File[] {
  const git = (args: readonly string[], input = "") =>
    execFileSync("git", args, { cwd: ROOT, input, maxBuffer: 2 ** 30, encoding: "latin1" });
  const listed =
    revision === undefined ? ["ls-files", folder] : ["ls-tree", "-r", "--name-only", revision, folder];
  const paths = git(listed)
    .split("\n")
    .filter((path) => CODE.test(path));
  const file = (path: string, text: string) => ({
    path: path.slice(folder.length + 1),
    lines: text.split("\n").length - 1,
  });
  if (revision === undefined)
    return paths.map((path) => file(path, readFileSync(join(ROOT, path), "latin1")));
  const all = git(["cat-file", "--batch"], paths.map((path) => `${revision}:${path}\n`).join(""));
  let at = 0;
  return paths.map((path) => {
    const begin = all.indexOf("\n", at) + 1;
    const end = begin + Number(all.slice(at, begin).split(" ")[2]);
    at = end + 1;
    return file(path, all.slice(begin, end));
  });
}

const capabilityOf = ({ path }: File) =>
  CAPABILITIES.find(([, paths]) => paths.test(path))?.[0] ?? "not in the table of scripts/lines.ts";

const [before, after] = process.argv.slice(2);
const revisions = before === undefined ? [undefined] : [before, after];
const counts = revisions.map((revision) => Map.groupBy(code("src", revision), capabilityOf));
const row = (name: string, sets: readonly (readonly File[])[]) => {
  const lines = sets.map(linesOf);
  const change = lines.length < 2 ? [] : [(lines[1] ?? 0) - (lines[0] ?? 0)];
  return [name, ...sets.map((set) => set.length), ...lines, ...change];
};
const pair = (word: string) => (before === undefined ? [word] : [`${word} before`, word]);
const names = [
  ...new Set([...CAPABILITIES.map(([name]) => name), ...counts.flatMap((one) => [...one.keys()])]),
];
const head = ["capability", ...pair("files"), ...pair("lines"), ...(before === undefined ? [] : ["change"])];
const rows = [
  head,
  head.map(() => "---"),
  ...names.map((name) =>
    row(
      name,
      counts.map((one) => one.get(name) ?? []),
    ),
  ),
  row(
    "all of src",
    counts.map((one) => [...one.values()].flat()),
  ),
  row(
    "all of test",
    revisions.map((revision) => code("test", revision)),
  ),
];
console.log(rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
