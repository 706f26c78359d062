import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../../src/moments/shell/shell.ts";

const FORCE = "git push --force";
const texts = (command: string) => readCommandLine(command).commands.map(({ text }) => text);

/** Every one was run in bash 5.2, where it runs the command. */
describe("a command that an unusual form runs", () => {
  it.each<[what: string, command: string]>([
    ["a subshell in a subshell", `((${FORCE}); (true))`],
    ["a subshell in a subshell, before ||", `((cd /tmp && ${FORCE}) || (true))`],
    ["a substitution that begins with a subshell", `x=$((${FORCE}) | (cat))`],
    ["a substitution in arithmetic", `echo $(( $(${FORCE}) ))`],
    ["backticks in arithmetic", `(( x = \`${FORCE}\` + 1 ))`],
    ["a default in arithmetic", `echo $(( 1 + \${x:-$(${FORCE})} ))`],
    ["a list of values", `files=($(${FORCE}))`],
    ["a declared list of values", `declare -a a=(1 "$(${FORCE})" 3)`],
    ["values with a comment", `a=(1 # it's\n2); ${FORCE}`],
    ["a process as a value", `a=(<(${FORCE}))`],
    ["an index", `a[$(${FORCE})]=1`],
    ["a quoted brace in a parameter", `echo \${X%'}'*}; ${FORCE}`],
    ["a brace in double quotes in a parameter", `echo \${X:-"}"}; ${FORCE}`],
    ["a brace in quotes in quotes", `echo "\${X:-"}"}"; ${FORCE}`],
    ["an escaped brace in a parameter", `echo \${X:-\\}}; ${FORCE}`],
    ["a parameter in a parameter", `echo \${X:-\${Y:-z}}; ${FORCE}`],
    ["a default", `echo "\${X:-$(${FORCE})}"`],
    ["a default in backticks", `: \${X:=\`${FORCE}\`}`],
    ["a process in a default", `cat \${X:-<(${FORCE})}`],
    ["case on one line", `case "$1" in (*) ${FORCE} ;; esac`],
    ["a pattern with alternatives", `case x in (x|y) ${FORCE};; esac`],
    ["case in a substitution in quotes", `echo "$(case x in x) ${FORCE};; esac)"`],
    ["a later branch", `x=$(case x in a) :;; b|x) ${FORCE};& c) :;; esac)`],
    ["case in case", `case x in x) case y in y) ${FORCE};; esac esac`],
    ["for over the arguments", `for x do ${FORCE}; done`],
    ["for over the arguments, with braces", `for ((i=0; i<1; i++)) { ${FORCE}; }`],
    ["for in a function", `function f { time for x do ${FORCE}; done; }; f`],
    ["for with arithmetic", `for ((i=0; i<1; i++)) do ${FORCE}; done`],
    ["a test without a semicolon", `if [[ 1 ]] then ${FORCE}; fi`],
    ["braces without a semicolon", `if { true; } then ${FORCE}; fi`],
    ["else right behind fi", `if false; then if true; then :; fi else ${FORCE}; fi`],
    ["a coprocess", `coproc { ${FORCE}; }`],
    ["a coprocess with a name", `coproc N { ${FORCE}; }`],
    ["a simple coprocess", `coproc ${FORCE}`],
    ["a function with its keyword", `function f { ${FORCE}; }; f`],
    ["a function with spaces in its parentheses", `f ( ) { ${FORCE}; }; f`],
    ["a descriptor in a variable", `{fd}>/dev/null ${FORCE}`],
    ["words in braces", "{git,push,--force}"],
    ["an option in braces", "git push {--force,origin}"],
    ["braces in braces", "git {push,{--force,-q}}"],
    ["a text to translate", '$"git" push --force'],
    ["characters by number", "$'\\x67i\\164' $'\\u0070ush' --force"],
    ["a here-document", `cat <<E\nv=$(${FORCE})\nE`],
    ["backticks in a here-document", `cat <<E\n\`${FORCE}\`\nE`],
    ["a word for a shell", `bash <<< '${FORCE}'`],
    ["a here-document for a shell with options", `bash -euo pipefail <<'E'\n${FORCE}\nE`],
    ["a here-document for a shell with arguments", `bash -s -- a <<'E'\n${FORCE}\nE`],
    ["standard input as a script", `. /dev/stdin <<'E'\n${FORCE}\nE`],
    ["options behind -c", `bash -c -e '${FORCE}'`],
    ["a here-document of a subshell", `(cat <<E)\nit's\nE\n${FORCE} # '`],
    ["a quote in backticks", `echo \`true # it's\`; ${FORCE}`],
  ])("is read: %s", (_, command) => {
    expect(texts(command).some((text) => text.startsWith(FORCE))).toBe(true);
    expect(readCommandLine(command).isWhole).toBe(true);
  });

  it.each<[what: string, command: string]>([
    ["backticks in backticks", `echo \`echo \\\`${FORCE}\\\`\``],
    ["an escaped substitution in backticks", `echo \`echo \\$(${FORCE})\``],
    ["escaped quotes in backticks in quotes", `echo "\`echo \\"it's\\"; ${FORCE}\`"`],
    ["a quote that is only text in some shells", `echo "\${X%'}'}"; ${FORCE}; echo "'"`],
    ["commands in a parameter", `echo \${ ${FORCE}; }`],
    ["a here-document in a pipe to a shell", `cat <<E | bash\n${FORCE}\nE`],
    ["a text in a pipe to a shell", `echo '${FORCE}' | sudo sh -s`],
    ["a pipe to a shell in parentheses", `echo '${FORCE}' | (bash)`],
    ["a shell with a process as its script", `bash <(echo '${FORCE}')`],
    ["a process that is sourced", `source <(echo '${FORCE}')`],
    ["a here-document that has no end", `echo $[1<<2]\n${FORCE}`],
    ["a here-document whose substitution ends first", `$(cat <<E)\nit's\nE\n${FORCE} # '`],
    ["an open quote", `echo it's; ${FORCE}`],
    ["open double quotes", `echo "; ${FORCE}`],
    ["an open parenthesis", `(true; echo "; ${FORCE}`],
    ["a parenthesis that nothing opened", `true) ; ${FORCE}`],
    ["too many words in braces", `${"{a,b}".repeat(7)}; ${FORCE}`],
    ["long arithmetic", `echo $((${"1+".repeat(600)}1)); ${FORCE}`],
    ["24 parameters in parameters", `echo ${"${X:-".repeat(24)}$(${FORCE})${"}".repeat(24)}`],
  ])("or may be one, so the line is not read whole: %s", (_, command) => {
    expect(readCommandLine(command).isWhole).toBe(false);
  });

  /** Each runs its text. */
  const layers = [
    (text: string) => `((true; ${text}\n); (true))`,
    (text: string) => `x=$((true; ${text}\n) | (cat))`,
    (text: string) => `echo $(( $(${text}\n) + 1 ))`,
    (text: string) => `a=(1 $(${text}\n) 2)`,
    (text: string) => `echo \${X%'}'*}; ${text}`,
    (text: string) => `echo "\${X:-$(${text}\n)}"`,
    (text: string) => `: \${X:="}$(${text}\n)"}`,
    (text: string) => `case x in (a|x) ${text}\n;; esac`,
    (text: string) => `echo "$(case x in x) ${text}\n;; esac)"`,
    (text: string) => `for x do ${text}\ndone`,
    (text: string) => `for ((;;)) { ${text}\n}`,
    (text: string) => `if [[ a ]] then ${text}\nfi`,
    (text: string) => `coproc { ${text}\n}`,
    (text: string) => `f ( ) { ${text}\n}; f`,
    (text: string) => `function f { ${text}\n}; f`,
    (text: string) => `{fd}>f eval '${text.replaceAll("'", "'\\''")}'`,
    (text: string) => `echo \`${text.replaceAll(/[\\`$]/g, "\\$&")}\``,
    (text: string) => `bash <<'END'\n${text}\nEND`,
    (text: string) => `cat <<EOF\nit's $(${text}\n)\nEOF`,
  ];

  it("is read, or the line is not read whole, however such forms are nested", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...layers), { maxLength: 5 }), (around) => {
        const command = around.reduce((text, layer) => layer(text), "push");
        const { commands, isWhole } = readCommandLine(command);
        if (isWhole) expect(commands.map(({ text }) => text)).toContain("push");
      }),
      { numRuns: 500 },
    );
  });

  it.each(layers.map((layer) => [layer("push")]))("is read in one of them alone: %s", (command) => {
    expect(readCommandLine(command).isWhole).toBe(true);
    expect(texts(command)).toContain("push");
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are what a shell expands.
describe("an everyday command line is read whole", () => {
  it.each([
    ["echo $((i+1)) $(( (a + b) * c )) $((1 << 2))"],
    ["echo $(( $(date +%s) - start ))"],
    ["for ((i=0;i<3;i++)); do echo $i; done"],
    ["((count++)) || true; if ((count > 3)); then exit 1; fi"],
    ["echo ${X:-default} ${X:-'a b'} ${path##*/} ${#all[@]} ${x//a/b} ${x:0:3} ${x^^}"],
    ['echo "${X:-default}" "${msg//\\"/}" "${all[@]}" "$@" "$#" "$$"'],
    ['arr=(a b c); arr+=("d e"); declare -A m=([x]=1 [y]="2"); echo "${arr[0]}"'],
    ["cat > a.txt <<'EOF'\nit's a \"text (with ` and ${ in it\nEOF\nls"],
    ["cat > a.txt <<EOF\nit's a \"text ($HOME, costs \\$5)\nEOF\nls"],
    ["cat <<-EOF\n\tindented\n\tEOF"],
    ['git commit -m "$(cat <<\'EOF\'\nSay why.\n\nIt\'s (so) "wrong".\nEOF\n)" && git push'],
    ["python3 - <<'PY'\nprint('''it's''')\nPY"],
    [`curl -d '{"a": {"b": [1, 2]}}' -H "x: y" http://localhost/`],
    [`curl -d "{\\"a\\": \\"$X\\"}" http://localhost/`],
    ["awk '{print $1}' f | sort | uniq -c"],
    [`awk -F: '{ if ($1 == "x") { print $2 } }' f`],
    ['jq -r \'.a[] | select(.b == "c") | "\\(.d)"\' f.json'],
    ["sed -i 's/(a)/{b}/g; s/`/x/' f"],
    ['node -e "const a = [1, 2]; console.log(a.map((x) => x * 2))"'],
    ["find . -name '*.ts' -exec grep -l x {} \\; -o \\( -type d -prune \\)"],
    ["mkdir -p src/{a,b}/{c,d} && mv x.{js,ts} && echo {1..10} && git show HEAD@{1}"],
    ["git log --format='%h %s' | while read -r hash rest; do echo \"$hash\"; done"],
    ["case $1 in\n  a|b) ls ;;\n  (c) pwd ;;\n  *)\n    # don't\n    exit 1\n    ;;\nesac"],
    ["case x in a) ;; esac; case y in esac"],
    ["[[ $x =~ ^(a|b)[0-9]+$ && ! -f y ]] && ls"],
    ['if [ -z "${CI:-}" ]; then echo no; elif (true); then ls; fi'],
    ['deploy() {\n  local x=$1\n  echo "$x"\n}\ndeploy a'],
    ["diff <(sort a) <(sort b) > >(tee out) 2>&1"],
    ["echo `git rev-parse HEAD` `sed 's/\\(a\\)/\\1/' f`"],
    ["bash script.sh < in.txt; bash -c 'ls'; sh -x ./run.sh; bash --version; bash < script.sh"],
    ["exec 3>&1; ls >&3 2>/dev/null &>> log"],
    ['eval "$(ssh-agent -s)"; source .env; . ~/.profile'],
    ["echo $'a\\n' $\"b\" # it's a comment"],
    ["ls !(*.ts) *.@(js|ts)"],
  ])("%s", (command) => {
    expect(readCommandLine(command).isWhole).toBe(true);
  });

  it("with the words that braces make, as the shell makes them", () => {
    expect(texts("touch a{b,c{d,e}}f {x}  {,y} '{p,q}' \"$z\"{1,2} {1..3}")).toEqual([
      "touch abf acdf acef {x} y {p,q} $z1 $z2 {1..3}",
    ]);
  });
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.

describe("a command line that was made to be slow", () => {
  it.each([
    ["arithmetic", "(("],
    ["subshells in subshells", "((a);(b));"],
    ["arithmetic in arithmetic", "$(( $((1)) + "],
    ["long arithmetic", `((${"a".repeat(900)} `],
    ["parameters", "${x:-'"],
    ["parameters in quotes", '"${x'],
    ["backticks with a comment", "`#`"],
    ["backticks with a quote", "`'`"],
    ["short here-documents", "cat <<E\na\nE\n"],
    ["here-documents without an end", "cat <<E\n"],
    ["lists of values", "a=(b "],
    ["braces", "{a,"],
    ["braces around braces", "{a,b}{c,d}"],
    ["patterns", "case x in ("],
    ["cases", "case x in x) "],
    ["tests", "[[ "],
    ["functions", "f()"],
  ])("is bounded: %s", (_, piece) => {
    const started = performance.now();
    for (const length of [100_000, 1_000_000])
      readCommandLine(piece.repeat(Math.ceil(length / piece.length)));
    // A tenth of a second on an idle machine; quadratic work takes minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
