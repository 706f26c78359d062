import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellEdits } from "../../../../src/hosts/shared/tool-use/shell-edits.ts";

const whole = (path: string, text: string) => [{ path, kind: "whole", hunks: [{ text, line: 1 }] }];
const part = (path: string, text: string) => [{ path, kind: "part", hunks: [{ text }] }];

describe("what a shell command writes into a file", () => {
  it.each<[command: string, edits: object[]]>([
    ["cat > src/a.ts <<'EOF'\nconst a = `$b`;\n\nEOF", whole("src/a.ts", "const a = `$b`;\n")],
    ["cat <<EOF > a.sh\necho \\$HOME\nEOF", whole("a.sh", "echo $HOME")],
    ["cat >> a.md <<-END\n\tline\n\tEND", part("a.md", "line")],
    ["tee a.txt b.txt <<'EOF' >/dev/null\nx\nEOF", [...whole("a.txt", "x"), ...whole("b.txt", "x")]],
    ["sudo tee -a /etc/hosts <<EOF\n::1 here\nEOF", part("/etc/hosts", "::1 here")],
    ["echo 'a: any' > a.ts", whole("a.ts", "a: any")],
    ["echo one two >> a.txt", part("a.txt", "one two")],
    ["printf 'a\\nb\\n' > a.txt", whole("a.txt", "a\nb")],
    ["printf '%s\\n' 'a b' c > a.txt", whole("a.txt", "a b\nc")],
    ["mkdir -p src && cd src && cat > 'a b.ts' <<X && npm test\n1\nX", whole("src/a b.ts", "1")],
    ["(cd web && echo x > a.txt); echo y > b.txt", [...whole("web/a.txt", "x"), ...whole("b.txt", "y")]],
    [`bash -lc "cd web && echo x > a.txt"`, whole("web/a.txt", "x")],
    ["cd /q && echo x > a.txt", whole("/q/a.txt", "x")],
    [
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-1\n+2\n*** End Patch\nEOF",
      part("a.ts", "2"),
    ],
    [
      "git apply <<'EOF'\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-1\n+2\nEOF",
      [{ path: "a.ts", kind: "part", hunks: [{ text: "2", line: 1 }] }],
    ],
  ])("is found: %s", (command, edits) => {
    expect(shellEdits(command)).toEqual(edits);
  });

  it.each([
    ["echo x > $FILE"],
    ["echo x > ~/a.txt"],
    ["echo x 2> a.txt"],
    ["echo x >&2"],
    ["echo x > /dev/stderr"],
    ['cd "$DIR" && echo x > a.txt'],
    ["cat <<EOF\nx > y\nEOF"],
    ["python - <<'EOF'\nopen('a', 'w').write('x')\nEOF"],
    ["git commit -m 'echo x > a.txt'"],
  ])("is not guessed: %s", (command) => {
    expect(shellEdits(command)).toEqual([]);
  });

  it.each<[command: string, paths: string[]]>([
    ["npm test > out.txt 2>&1", ["out.txt"]],
    ["cat a.txt > b.txt", ["b.txt"]],
    ['echo "$A" > a.txt', ["a.txt"]],
    ["echo -e 'a\\tb' &> a.txt", ["a.txt"]],
    ["printf '%d' 3 >> a.txt", ["a.txt"]],
    ["npm ls | tee -a a.txt", ["a.txt"]],
    ["sed -i s/a/b/ a.txt b.txt", ["a.txt", "b.txt"]],
    ["sed -i '' -e s/a/b/ a.txt", ["a.txt"]],
    ["cd src && sed -i.bak 's/a b/c/' a.ts", ["src/a.ts"]],
    ["perl -0pi -e 's/a/b/' a.txt", ["a.txt"]],
    ["mv a.ts b.ts", ["a.ts", "b.ts"]],
    ["cp -r a.ts b.ts src/", ["src/a.ts", "src/b.ts"]],
    ["git checkout HEAD -- a.ts", ["a.ts"]],
    ["git restore --source HEAD~1 a.ts", ["a.ts"]],
  ])("is an edit without text if the command does not say the text: %s", (command, paths) => {
    expect(shellEdits(command)).toEqual(paths.map((path) => ({ path, kind: "part", hunks: [] })));
  });

  it.each([
    ["sed -n 1,5p a.txt"],
    ["sed s/a/b/ a.txt"],
    ["perl -ne 'print' a.txt"],
    ["git checkout main"],
    ["git restore --staged a.ts"],
    ["sed -i s/a/b/ *.ts"],
    ["cp a.ts"],
  ])("nothing that it names is changed: %s", (command) => {
    expect(shellEdits(command)).toEqual([]);
  });

  it("is any text that a here-document has", () => {
    const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, " "));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        fc.pre(lines.every((one) => one.trimEnd() !== "EOF") && lines.join("") !== "");
        const edits = shellEdits(`cat > a.txt <<'EOF'\n${lines.join("\n")}\nEOF\nnpm test`);
        expect(edits[0]?.hunks).toEqual([{ text: lines.join("\n"), line: 1 }]);
      }),
    );
  });
});
