import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Sets of rules that no real project has, and an ordinary set for comparison. */
export const PROJECTS: Readonly<Record<string, (root: string) => void>> = {
  "50 rules": (root) => rules(root, 50, 0),
  "60,000 folders": (root) => {
    rules(root, 50, 0);
    for (let i = 0; i < 60_000; i++)
      mkdirSync(join(root, ".continuo", "rules", `f${i % 300}`, `g${i}`), { recursive: true });
  },
  "5,000 small rules": (root) => rules(root, 5000, 0),
  "400 rules of 250 KB": (root) => rules(root, 400, 250 * 1024),
  "2,000 rules of 250 KB": (root) => rules(root, 2000, 250 * 1024),
};

function rules(root: string, count: number, bytes: number): void {
  const folder = join(root, ".continuo", "rules");
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i++) {
    const front = [
      `globs: ["src/mod${i}/**/*.ts"]`,
      `globs: ["**/*.part${i}.css"]\nkeywords: [word${i}]`,
      `keywords: [topic${i}]`,
      "alwaysApply: true",
    ][i % 4];
    const body = `Rule ${i}: some words of advice.\n`;
    writeFileSync(
      join(folder, `rule-${i}.md`),
      `---\n${front}\n---\n${body.repeat(Math.ceil((bytes || 1) / body.length))}`,
    );
  }
}
