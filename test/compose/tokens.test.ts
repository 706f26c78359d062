import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { countTokens, TOKEN_WEIGHTS, tokenFeatures } from "../../src/compose/tokens.ts";

/**
 * The bounds for one short sample; the average over real text is far lower (npm run bench -- tokens). Being over
 * only wastes some room, being under breaks a budget, so the lower bound is the tight one.
 */
const UNDER = -0.12;
const OVER = 0.25;

/** How o200k splits text before it looks for tokens. */
const O200K_PIECES = new RegExp(
  [
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+('s|'t|'re|'ve|'m|'ll|'d)?",
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*('s|'t|'re|'ve|'m|'ll|'d)?",
    "\\p{N}{1,3}",
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*",
    "\\s*[\\r\\n]+",
    "\\s+(?!\\S)",
    "\\s+",
  ].join("|"),
  "gu",
);

const samples: Record<string, string> = {
  english: `The hook reads the session file, keeps the lines that still matter and drops the rest. It doesn't
wait for the network, and it never writes to the working tree. When the budget is too small for everything,
rules come first, then open tasks, then whatever was touched most recently.`,
  markdown: `## Before you commit

- Run \`npm test\` and **read** the output; a skipped test is not a passing test.
- Never edit generated files under \`dist/\` by hand.
- Keep the subject line under 60 characters (see [CONTRIBUTING](./CONTRIBUTING.md)).

| Option | Default | Meaning |
| --- | --- | --- |
| \`--budget\` | 2000 | tokens that may be used |
`,
  typescript: `export async function loadRules(folder: string, options: LoadOptions = {}): Promise<Rule[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md"));
  return Promise.all(files.map(async (file) => parseRule(await readFile(join(folder, file.name), "utf8"))));
}
`,
  json: `{
  "name": "example-package",
  "version": "2.14.0",
  "scripts": { "build": "tsc -p .", "test": "vitest run" },
  "dependencies": { "picomatch": "^4.0.3", "yaml": "~2.8.1" },
  "engines": { "node": ">=22" }
}`,
  diff: `diff --git a/src/queue.ts b/src/queue.ts
index 3fa91c2..b07d6e4 100644
--- a/src/queue.ts
+++ b/src/queue.ts
@@ -18,7 +18,8 @@ export class Queue<T> {
   push(item: T): void {
-    this.items.push(item);
+    if (this.closed) throw new Error("queue is closed");
+    this.items.push(item);
   }
`,
  log: `2026-03-04T11:52:07.118Z INFO  [worker-3] request 7f3c91aa finished in 182 ms (status 200)
2026-03-04T11:52:07.304Z WARN  [worker-1] retry 2/5 for job 90412: connect ECONNREFUSED 127.0.0.1:5432
2026-03-04T11:52:08.951Z ERROR [worker-1] job 90412 failed after 5 attempts
`,
  japanese: `このツールは、セッションの開始時に必要な規則と記録だけを読み込みます。設定ファイルが見つからない場合は、
既定の値を使用します。詳しくは、付属の説明書を参照してください。`,
  chinese:
    "该工具在会话开始时只加载所需的规则和记录。如果找不到配置文件，则使用默认值。更多信息请参阅随附的文档。",
  korean:
    "이 도구는 세션이 시작될 때 필요한 규칙과 기록만 불러옵니다. 설정 파일이 없으면 기본값을 사용합니다.",
  russian: `Этот инструмент загружает только те правила и записи, которые нужны в начале сеанса. Если файл
настроек не найден, используются значения по умолчанию.`,
  spanish: `Esta herramienta carga solo las reglas y los registros necesarios al inicio de la sesión. Si no se
encuentra el archivo de configuración, se utilizan los valores predeterminados.`,
  german: `Dieses Werkzeug lädt zu Beginn der Sitzung nur die benötigten Regeln und Aufzeichnungen. Wird die
Konfigurationsdatei nicht gefunden, gelten die voreingestellten Werte.`,
};

const relativeError = (estimate: number, text: string): number => estimate / encode(text).length - 1;
const inBounds = (estimate: number, text: string): boolean => {
  const error = relativeError(estimate, text);
  return error >= UNDER && error <= OVER;
};

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  // Single UTF-16 units, so lone surrogates too, mixed with what the scan treats specially.
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        fc.constantFrom(
          "\n",
          "\r\n",
          " ",
          "  ",
          "\t",
          "'",
          "/",
          "(",
          "don't",
          "fooBar",
          "12345",
          "é",
          "漢",
          "🙂",
        ),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join("")),
);

describe("countTokens", () => {
  test("is 0 for nothing and at least 1 for anything else", () => {
    expect(countTokens("")).toBe(0);
    for (const text of [" ", "\n", "a", ".", "\ud800", "\u0000", "'s"]) {
      expect(countTokens(text)).toBeGreaterThanOrEqual(1);
    }
  });

  test.each(Object.entries(samples))("is at most 12 % under and 25 % over o200k: %s", (_, text) => {
    expect(inBounds(countTokens(text), text)).toBe(true);
  });

  test("characters / 4 would not stay within those bounds", () => {
    const outside = Object.keys(samples).filter(
      (kind) => !inBounds(samples[kind]!.length / 4, samples[kind]!),
    );
    expect(outside).toEqual(expect.arrayContaining(["log", "japanese", "chinese", "korean"]));
  });

  test("does not underestimate hashes or long runs", () => {
    const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for (const text of [hash, " ".repeat(2000), "-".repeat(2000), "=".repeat(2000)]) {
      expect(relativeError(countTokens(text), text)).toBeGreaterThanOrEqual(UNDER);
    }
  });

  test("is a whole number >= 0 for any string", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const count = countTokens(text);
        expect(Number.isSafeInteger(count)).toBe(true);
        expect(count).toBeGreaterThanOrEqual(text === "" ? 0 : 1);
      }),
      { numRuns: 1000 },
    );
  });

  test("joining by a newline costs at least the larger part and at most the sum and two more", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const joined = countTokens(`${a}\n${b}`);
        expect(joined).toBeGreaterThanOrEqual(Math.max(countTokens(a), countTokens(b)));
        expect(joined).toBeLessThanOrEqual(countTokens(a) + countTokens(b) + 2);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("tokenFeatures", () => {
  test("splits pieces where o200k's pattern splits them", () => {
    const edges = [
      "fooBar HTMLParser",
      "1234567",
      "a 12",
      "a   12",
      "foo(bar)",
      "a\n \n\n  b",
      "x  (y)\t\tz ",
      "l'eau",
    ];
    const latin = [
      "english",
      "markdown",
      "typescript",
      "json",
      "diff",
      "log",
      "russian",
      "spanish",
      "german",
    ];
    for (const text of [...edges, ...latin.map((kind) => samples[kind]!)]) {
      expect([text, tokenFeatures(text).piece]).toEqual([text, text.match(O200K_PIECES)?.length]);
    }
  });

  test("has a weight >= 0 for every count", () => {
    expect(Object.keys(TOKEN_WEIGHTS).sort()).toEqual(Object.keys(tokenFeatures("")).sort());
    for (const weight of Object.values(TOKEN_WEIGHTS)) expect(weight).toBeGreaterThanOrEqual(0);
  });
});
