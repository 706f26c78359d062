import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanShell } from "../../../src/moments/shell/scan.ts";
import { readCommandLine } from "../../../src/moments/shell/shell.ts";

const texts = (command: string) => readCommandLine(command).commands.map(({ text }) => text);

describe("the commands of a command line", () => {
  it.each<[what: string, command: string, parts: string[]]>([
    [
      "operators",
      "npm ci && npm test || echo failed; ls | head & wait",
      ["npm ci", "npm test", "echo failed", "ls", "head", "wait"],
    ],
    ["lines, also continued ones", "npm run \\\n  build\n\nnpm test", ["npm run build", "npm test"]],
    ["comments", "ls # git push --force", ["ls"]],
    ["quotes", `rm "a b" 'c d' e\\ f "g"h`, ['rm "a b" "c d" "e f" gh']],
    ["escaped quotes", `node -e "say(\\"a\\")" && ls`, ['node -e say("a")', "ls"]],
    [
      "substitutions before the command that uses them",
      'cp "$(git rev-parse HEAD)" `pwd`/x',
      ["git rev-parse HEAD", "pwd", "cp $() $()/x"],
    ],
    [
      "substitutions in quotes inside substitutions",
      'a "$(b "$(c; d)")" && e',
      ["c", "d", "b $()", "a $()", "e"],
    ],
    ["subshells and groups", "(cd web && npm test); { ls; pwd; }", ["cd web", "npm test", "ls", "pwd"]],
    [
      "compound commands",
      "if [ -f x ]; then rm x; else touch x; fi; for f in *.ts; do npx tsc $f; done",
      ["[ -f x ]", "rm x", "touch x", "npx tsc $f"],
    ],
    ["branches of case", "case $1 in up) npm publish;; *) ls;; esac", ["npm publish", "ls"]],
    ["functions", "deploy() { npm publish; }; deploy", ["npm publish", "deploy"]],
    ["processes as files", "diff <(sort a) <(sort b)", ["sort a", "sort b", "diff"]],
    ["arithmetic, which is no here-document", "echo $((1 << 2))\nls", ["echo $()", "ls"]],
    ["lists of values", "all=(git push) npm test", ["npm test"]],
    [
      "redirects to files, and no others",
      "npm test > out.txt 2>&1 && make 2>/dev/null",
      ["npm test > out.txt", "make"],
    ],
  ])("splits %s", (_, command, parts) => {
    expect(texts(command)).toEqual(parts);
  });

  it.each([
    ["CI=1 NODE_ENV=test npm test"],
    ["sudo -u build npm test"],
    ["env -i PATH=/bin npm test"],
    ["time npm test"],
    ["nohup npm test &"],
    ["timeout -k 5 60 npm test"],
    ["! npm test"],
    ["ls | xargs -n 1 npm test"],
    ["bash -c 'npm test'"],
    ['bash -lc "CI=1 npm test"'],
    ["/bin/sh -euc 'npm test'"],
    ["zsh -o pipefail -c 'npm test'"],
    ["eval 'npm test'"],
    ["bash <<'EOF'\nnpm test\nEOF"],
    [`sudo bash -c "bash -c 'npm test'"`],
  ])("finds what %s runs", (command) => {
    expect(texts(command).at(-1)).toBe("npm test");
  });

  it("leaves out git's options before the subcommand", () => {
    expect(texts("git -C /p -c core.pager=cat --no-pager push --force")).toEqual(["git push --force"]);
    expect(texts("git --version")).toEqual(["git --version"]);
  });

  it.each<[command: string, typed: string[]]>([
    ["git commit -m 'Say why.\n\nIt was wrong.'", ["git commit -m 'Say why.\n\nIt was wrong.'"]],
    ["npm ci  && CI=1 npm  test >out.txt; ls # all", ["npm ci", "CI=1 npm  test >out.txt", "ls"]],
    ["bash -c 'git add . && git push'", ["git add .", "git push"]],
    ["(cd web; git push)", ["cd web", "git push"]],
    ['cp "$(git log -1)" x', ["git log -1", 'cp "$(git log -1)" x']],
    ["cat > a.txt <<'EOF'\nbody\nEOF\nnpm test", ["cat > a.txt <<'EOF'", "npm test"]],
    ["deploy() { npm publish; }; deploy", ["{ npm publish", "deploy"]],
  ])("says how %s was typed", (command, typed) => {
    expect(readCommandLine(command).commands.map((one) => one.typed)).toEqual(typed);
  });
});

describe("prose", () => {
  const PROSE = "never run git push --force";
  it.each([
    [`git commit -am '${PROSE}'`],
    [`git commit --message="${PROSE}"`],
    [`git commit -m"${PROSE}"`],
    [`git commit -F - <<'EOF'\n${PROSE}\nEOF`],
    [`git commit -m "$(cat <<'EOF'\n${PROSE}; "and (so\nEOF\n)"`],
    [`git tag -a v1 -m '${PROSE}'`],
    [`gh pr create --title 'fix' --body '${PROSE}'`],
    [`gh pr comment 3 -b '${PROSE}'`],
    [`alembic revision -m '${PROSE}'`],
    [`echo "${PROSE}" >> notes.md`],
    [`grep -rn '${PROSE}' docs`],
    [`cat > notes.md <<EOF\n${PROSE}\nEOF`],
    [`cat <<-"END" | tee notes.md\n\t${PROSE}\n\tEND`],
  ])("is no command: %s", (command) => {
    expect(texts(command).join("\n")).not.toContain("--force");
    expect(texts(`${command}\ngit push --force`).at(-1)).toBe("git push --force");
  });

  it("is only what certainly is prose", () => {
    expect(texts("python -m pytest; git branch -m old new; psql -c 'drop table x'; git stash")).toEqual([
      "python -m pytest",
      "git branch -m old new",
      'psql -c "drop table x"',
      "git stash",
    ]);
  });
});

describe("any text", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      ..."ab \t\n\r\\'\"`$(){}[]<>|&;#=-0!*~",
      "<<EOF\n",
      "\nEOF\n",
      "$(",
      "bash -c '",
      "${",
    ),
    maxLength: 400,
  });

  it("is split without an error, into single lines", () => {
    fc.assert(
      fc.property(hostile, (command) => {
        for (const { text } of readCommandLine(command).commands) expect(text).not.toMatch(/[\n\t]/);
        for (const { typed } of scanShell(command).commands) {
          expect(typed).not.toBe("");
          expect(command).toContain(typed);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives the commands back that operators join", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcxyz./:@%+,-_0123"), minLength: 1, maxLength: 8 });
    const command = fc
      .array(word, { maxLength: 4 })
      .map((rest) => ["run", ...rest.map((text) => `w${text}`)].join(" "));
    const operator = fc.constantFrom(" && ", "||", ";", " | ", "\n", " & ", " |& ", " ; # note\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(command, operator), { minLength: 1, maxLength: 30 }), (parts) => {
        expect(texts(parts.flat().join(""))).toEqual(parts.map(([text]) => text));
      }),
    );
  });

  it("gives any words back that are quoted", () => {
    const quoted = fc.string().map((text) => text.replaceAll("\0", ""));
    fc.assert(
      fc.property(fc.array(quoted), (words) => {
        const command = ["run", ...words.map((text) => `'${text.replaceAll("'", `'\\''`)}'`)].join(" ");
        expect(scanShell(command).commands[0]?.words.map(({ text }) => text)).toEqual(["run", ...words]);
      }),
    );
  });

  it.each([
    ["commands", "a;"],
    ["open substitutions", "$("],
    ["open quotes", "'\""],
    ["open arithmetic", "$(("],
    ["here-documents", "<<A "],
    ["backticks", "`"],
    ["shells in shells", "bash -c 'a' "],
    ["expansions", "${"],
  ])("is bounded: a million %s", (_, piece) => {
    const found = readCommandLine(piece.repeat(1_000_000)).commands;
    expect(found.length).toBeLessThanOrEqual(1_000);
    expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(400_000);
    for (const { typed } of found) expect(typed.length).toBeLessThanOrEqual(1_000);
  });

  const nested = (open: string, depth: number, close: string) =>
    `${open.repeat(depth)}git push --force${close.repeat(depth)}`;
  const shells = (depth: number): string =>
    depth === 0 ? "git push --force" : `bash -c ${JSON.stringify(shells(depth - 1))}`;
  it.each([
    ["one command", "a", true],
    ["999 commands before it", `${"a;".repeat(999)}git push --force`, true],
    ["1,000 commands before it", `${"a;".repeat(1000)}git push --force`, false],
    ["12 parentheses", nested("( ", 12, " )"), true],
    ["25 parentheses", nested("( ", 25, " )"), false],
    ["25 substitutions", nested("$(", 25, ")"), false],
    ["four shells in shells", shells(4), true],
    ["five shells in shells", shells(5), false],
    ["a word of 100,000 characters", `${"x".repeat(100_000)}; git push --force`, false],
    [
      "a here-document of 1.7 MB",
      `cat > x <<EOF\n${"a line of a file\n".repeat(100_000)}EOF\ngit push --force`,
      true,
    ],
    ["a script of 1.7 MB for a shell", `bash <<EOF\n${"a line of a file\n".repeat(100_000)}EOF\n`, false],
  ])("says whether it was read whole: %s", (_, command, isWhole) => {
    expect(readCommandLine(command).isWhole).toBe(isWhole);
  });

  it("never leaves out a command without saying so", () => {
    const layers = fc.constantFrom(
      (text: string) => `( ${text} )`,
      (text: string) => `$( ${text} )`,
      (text: string) => `a; { ${text}; }`,
      (text: string) => `sudo ${text}`,
      (text: string) => `bash -c '${text.replaceAll("'", "'\\''")}'`,
    );
    fc.assert(
      fc.property(fc.array(layers, { maxLength: 30 }), fc.nat(1100), (around, before) => {
        const inner = around.reduce((text, layer) => (text.length > 20_000 ? text : layer(text)), "push");
        const { commands, isWhole } = readCommandLine(`${"a;".repeat(before)}${inner}`);
        if (isWhole) expect(commands.map(({ text }) => text)).toContain("push");
      }),
    );
  });

  it("goes on after a long here-document", () => {
    const body = "a line of a file\n".repeat(100_000);
    expect(texts(`cat > big.txt <<'EOF'\n${body}EOF\nnpm test`)).toEqual([
      "cat > big.txt << EOF",
      "npm test",
    ]);
  });
});

describe("which later commands run only after a command has succeeded", () => {
  const until = (command: string) => readCommandLine(command).commands.map((one) => one.until);
  const LINE = Infinity;
  it.each<[what: string, command: string, until: number[]]>([
    ["one command", "npm test", [LINE]],
    ["a pipe hides all but the last", "npm test 2>&1 | tail -3", [1, LINE]],
    ["a pipe with pipefail", "set -o pipefail; npm test | tail", [1, LINE, LINE]],
    ["pipefail that is off again", "set -o pipefail; set +o pipefail; npm test | tail", [1, 2, 3, LINE]],
    ["a semicolon", "npm test; echo finished", [1, LINE]],
    ["a semicolon at the end", "npm test;", [LINE]],
    ["a line feed", "npm test\necho finished", [1, LINE]],
    ["both sides of &&", "npm test && git commit", [LINE, LINE]],
    ["&& over several lines", "cd web &&\n npm test &&\n git commit", [LINE, LINE, LINE]],
    ["&& before a semicolon", "npm test && git commit; git status", [2, 2, LINE]],
    ["||", "npm test || true", [1, 2]],
    ["&& before ||", "npm test && git commit || echo failed", [2, 2, 3]],
    ["|| before &&", "ls || npm test && git commit", [1, 2, LINE]],
    ["|| with an exit", "npm test || exit 1; git commit", [LINE, 2, LINE]],
    ["|| with an exit that succeeds", "npm test || exit 0; git commit", [1, 2, LINE]],
    ["|| with an exit in braces", "npm test || { echo no; exit 1; }\ngit commit", [LINE, 2, 3, LINE]],
    ["the background", "npm test & git commit", [1, LINE]],
    ["set -e", "set -euo pipefail\nnpm test\ngit commit", [1, LINE, LINE]],
    [
      "set -e does not look at what stands before &&",
      "set -e; npm test && ls; git commit",
      [1, 3, LINE, LINE],
    ],
    ["!", "! npm test", [1]],
    ["if", "if npm test; then git commit; fi; ls", [2, 2, LINE]],
    ["a loop", "for f in a b; do npm test; done && ls", [1, LINE]],
    ["parentheses", "(cd web && npm test) && git commit", [LINE, LINE, LINE]],
    ["the end of parentheses", "(npm test; true) && git commit", [1, LINE, LINE]],
    ["a substitution", "echo $(npm test) && git commit", [1, LINE, LINE]],
    ["a shell in a shell", "bash -c 'npm test && ls' && git commit", [LINE, LINE, LINE]],
    ["a pipe of a shell in a shell", "bash -c 'npm test | tail' && git commit", [1, LINE, LINE]],
    ["a shell in a shell before a semicolon", "bash -c 'npm test && ls'; git commit", [2, 2, LINE]],
  ])("%s", (_, command, expected) => {
    expect(until(command)).toEqual(expected);
  });

  it("is what a shell does, for any order of && and || and semicolons", () => {
    const commands = fc.array(fc.tuple(fc.boolean(), fc.constantFrom("&&", "||", ";")), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(commands, (parts) => {
        const line = parts.map(([, operator], i) => `c${i}${i < parts.length - 1 ? ` ${operator} ` : ""}`);
        const { ran, succeeds } = shell(parts);
        until(line.join("")).forEach((end, i) => {
          if (ran[i] !== true || parts[i]?.[0] === true) return;
          // It failed: nothing that needs it has run, and a line that needs it has failed.
          expect(ran.slice(i + 1, end).every((one) => !one)).toBe(true);
          if (end === Infinity) expect(succeeds).toBe(false);
        });
      }),
    );
  });

  /** Runs commands of which each succeeds or fails. */
  function shell(parts: readonly (readonly [boolean, string])[]): { ran: boolean[]; succeeds: boolean } {
    let succeeds = true;
    const ran = parts.map(([isGood], i) => {
      const operator = parts[i - 1]?.[1] ?? ";";
      const runs = operator === ";" || (operator === "&&") === succeeds;
      if (runs) succeeds = isGood;
      return runs;
    });
    return { ran, succeeds };
  }
});
