import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRule } from "../../../src/sources/rules/parsing/parse.ts";
import type { Dialect, Parsed } from "../../../src/sources/rules/rule.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = join(resolve(root, process.env["CONTINUO_BENCH_DATA"] ?? "../shared/bench"), "rules");
const DIALECTS: Readonly<Record<string, Dialect>> = {
  "awesome-cursorrules": "cursor",
  "awesome-copilot": "copilot",
};

const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.mdc?$/.test(path))
  : [];

describe.skipIf(files.length === 0)(
  "rule files that people wrote (CONTINUO_BENCH_DATA; skipped without it)",
  () => {
    it("all load as rules", async () => {
      const counts: Record<string, number> = {};
      for (const path of files) {
        const { parsed, dialect } = await read(path);
        const kind = parsed.kind === "rule" ? parsed.rule.when.kind : `refused (${parsed.message}) ${path}`;
        counts[`${dialect} ${kind}`] = (counts[`${dialect} ${kind}`] ?? 0) + 1;
      }
      console.log(`${files.length} rule files:`, counts);
      expect(Object.keys(counts).filter((kind) => kind.includes("refused"))).toEqual([]);
    });

    it("have the patterns that their globs and applyTo say", async () => {
      let compared = 0;
      for (const path of files) {
        const { parsed, text, dialect } = await read(path);
        const expected = simplySplit(text);
        if (expected.length === 0 || parsed.kind === "refused") continue;
        compared++;
        const { when } = parsed.rule;
        if (when.kind === "always") {
          const isUniversal =
            dialect === "copilot" && expected.every((one) => ["*", "**", "**/*"].includes(one));
          expect(isUniversal || /^alwaysApply: true/m.test(text), path).toBe(true);
          continue;
        }
        const found =
          when.kind === "conditions" ? when.conditions.find((one) => one.on === "files") : undefined;
        expect([...new Set(found?.include.map((one) => one.text))], path).toEqual([...new Set(expected)]);
      }
      expect(compared).toBeGreaterThan(400);
    });
  },
);

async function read(path: string): Promise<{ parsed: Parsed; text: string; dialect: Dialect }> {
  const dialect = DIALECTS[path.split(/[\\/]/)[0] ?? ""] ?? "continuo";
  const text = readFileSync(join(folder, path), "utf8");
  return { parsed: await parseRule(text, { name: path, dialect }), text, dialect };
}

/** Independent of the parser: the line's value, without quotes and brackets, split at commas outside of braces. */
function simplySplit(text: string): string[] {
  const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
  const value = /^(?:globs|applyTo): *(.*)$/m.exec(front)?.[1] ?? "";
  const items = [""];
  let depth = 0;
  for (const char of value.replace(/^\[(.*)\]$/, "$1").replace(/["']/g, "")) {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth === 0) items.push("");
    else items[items.length - 1] += char;
  }
  return items.map((item) => item.trim()).filter((item) => item !== "");
}
