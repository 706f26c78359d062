import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/child.ts";

/** All files of `src` that import one of these names from a Node module. */
function importers(module: string, names: RegExp): string[] {
  const src = join(ROOT, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => {
      const text = readFileSync(join(src, name), "utf8");
      const clauses = [...text.matchAll(/import\s+([^;]*?)\s+from\s+"([^"]+)"/g)];
      const others = [...text.matchAll(/(?:require|import|getBuiltinModule)\(\s*"([^"]+)"/g)].map(
        ([, from]) => ["", "*", from],
      );
      return [...clauses, ...others].some(
        ([, clause = "", from = ""]) =>
          from.replace(/^node:/, "").replace(/\/promises$/, "") === module &&
          (from.endsWith("/promises") ||
            /\*|^[A-Za-z]/.test(clause.replace(/^type\s/, "")) ||
            names.test(clause)),
      );
    })
    .sort();
}

describe("files that others wrote", () => {
  it("are opened in one place only; other places open only files that they create", () => {
    const opening = importers(
      "fs",
      /\b(readFile|readFileSync|createReadStream|open|openSync|openAsBlob|cp|cpSync)\b/,
    );
    expect(opening).toEqual([
      "entries/hook.ts", // a device, in the place of the output that is closed
      "setup/host-program.ts", // the kernel's list of processes
      "store/derived-index/open.ts", // makes the index and its lock file, where nothing is
      "store/read-file.ts",
      "store/write-file.ts", // appends lines after the same checks, or creates the file that replaces another
      "web/server/create-web.ts", // copies the index of a home that cannot be written, checked to be a file
      "web/server/files/folder.ts", // holds a folder open, no file
    ]);
  });
});

describe("programs", () => {
  it("are started in these places only, and git in one", () => {
    const starting = importers(
      "child_process",
      /\b(spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\b/,
    );
    expect(starting).toEqual([
      "cli/commands/doctor/prove.ts", // `doctor` runs what is wired
      "cli/commands/doctor/run-apart.ts", // `doctor` runs its checks in a process that it can kill
      "cli/commands/open/open.ts", // the user's editor, for `open`
      "cli/commands/sessions/resume.ts", // the agent that continues a session
      "cli/commands/web/web.ts", // the user's browser, for `web`
      "cli/terminal/pager.ts", // the user's pager, for long output on a terminal
      "git/run-git.ts",
      "setup/host-program.ts", // which version of a host is installed; `ps`: a running agent has to be restarted
      "sources/notes/external/run-program.ts", // the memory program that the user named in the config
      "sources/rules/run/end-processes.ts", // Windows' own program that ends a command with all that it started
      "sources/rules/run/run-command.ts", // commands of rules that the user accepted
      "sources/rules/run/start-runs.ts", // this package's own runner
      "web/server/follow/index-keeper.ts", // this package's own `sessions index`, while a page is open
    ]);
  });
});
