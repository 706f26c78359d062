import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCRIPTS, SHELLS } from "../../../src/cli/commands/completion.ts";
import { CONTINUO } from "../../support/child.ts";
import { runInProcess } from "../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

/** An environment in which `continuo` is the program that was built. */
function withContinuo(): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  write(folder, { continuo: `#!/bin/sh\nexec '${process.execPath}' '${CONTINUO}' "$@"\n` });
  chmodSync(join(folder, "continuo"), 0o755);
  const { env } = temporaryWorld();
  return { ...env, HOME: folder, PATH: `${folder}${delimiter}${process.env["PATH"]}` };
}

function has(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // its script is then only compared with what it must contain
  }
}

const run = (args: string[]) => {
  const world = temporaryWorld();
  return runInProcess(args, { env: world.env, cwd: world.root });
};

describe("completion scripts", () => {
  it.each(SHELLS)("for %s are printed, and ask the program", async (shell) => {
    const { stdout, code } = await run(["completion", shell]);
    expect({ stdout, code }).toEqual({ stdout: `${SCRIPTS[shell]}\n`, code: 0 });
    expect(stdout).toMatch(/continuo completion (?:--words|@options)/);
    expect(stdout.split(/[{]/).length).toBe(stdout.split(/[}]/).length);
  });

  it("are refused for other shells; pwsh is PowerShell", async () => {
    expect((await run(["completion", "pwsh"])).stdout).toBe(`${SCRIPTS.powershell}\n`);
    expect(await run(["completion"])).toMatchObject({ code: 2, stdout: "" });
    expect((await run(["completion", "tcsh"])).stderr).toContain("bash, zsh, fish, powershell");
  });

  it("answer nothing but words, also for nonsense", async () => {
    expect(await run(["completion", "--words", "--", "nonsense", "--json", ""])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect((await run(["completion", "--words", "--next", "--", "help", "memory"])).stdout).toContain(
      "export\t",
    );
  });
});

describe("completion in a shell", () => {
  it("bash completes commands, subcommands, options and their values", () => {
    const env = withContinuo();
    const complete = (...words: string[]) => {
      const script = `${SCRIPTS.bash}\nCOMP_WORDS=(continuo "$@"); COMP_CWORD=$#; _continuo; echo "\${COMPREPLY[*]}"`;
      return execFileSync("bash", ["-c", script, "bash", ...words], { env, encoding: "utf8" }).trim();
    };
    expect(complete("sea")).toBe("search");
    expect(complete("rules", "tr")).toBe("try trust");
    expect(complete("search", "--mi")).toBe("--min-score");
    expect(complete("search", "x", "--mode", "=", "")).toBe("Hybrid FullText Semantic");
    expect(complete("edit", "a note", "rep")).toBe("replace_section");
    expect(complete("note", "--file", "")).toBe("");
    expect(complete("--tool", "Sea")).toBe("SearchMemories");
  });

  it.skipIf(!has("fish"))("fish completes the same, and files where nothing else fits", () => {
    const env = withContinuo();
    write(env["HOME"] ?? "", { "draft.md": "x" });
    const complete = (line: string) =>
      execFileSync("fish", ["--no-config", "-c", `${SCRIPTS.fish}\ncomplete -C '${line}'`], {
        env,
        cwd: env["HOME"],
        encoding: "utf8",
      }).trim();
    expect(complete("continuo rules tr")).toMatch(/^try\t.+\ntrust\t/);
    expect(complete("continuo search x --mode F")).toMatch(/^FullText\b/);
    expect(complete("continuo note --file dr")).toBe("draft.md");
  });

  it.skipIf(!has("zsh"))("zsh accepts its script and uses it", () => {
    const env = withContinuo();
    // What _describe gets, without the line editor.
    const script = [
      "autoload -Uz compinit && compinit -u -D",
      SCRIPTS.zsh,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's
      '_describe() { print -l -- "${(@P)3}" }',
      "words=(continuo rules tr) CURRENT=3",
      "_continuo; print $_comps[continuo]",
      "words=(continuo search x --mode F) CURRENT=5; _continuo",
    ].join("\n");
    const printed = execFileSync("zsh", ["-f", "-c", script], { env, encoding: "utf8" }).trim().split("\n");
    expect(printed).toEqual([
      expect.stringMatching(/^try:/),
      expect.stringMatching(/^trust:/),
      "_continuo",
      "FullText", // without a colon: it has no description
    ]);
  });

  it.skipIf(!has("pwsh"))("PowerShell completes the same", () => {
    const script = `${SCRIPTS.powershell}\n(TabExpansion2 'continuo rules tr' 17).CompletionMatches.CompletionText`;
    const printed = execFileSync("pwsh", ["-NoProfile", "-c", script], {
      env: withContinuo(),
      encoding: "utf8",
    });
    expect(printed.trim().split(/\r?\n/)).toEqual(["try", "trust"]);
  });
});
