import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { README, withBlocks } from "../../scripts/readme.ts";
import { HEADINGS, KINDS } from "../../src/web/page/connect/kinds.ts";

const readme = readFileSync(README, "utf8");

it("the README shows what Continuo prints now (update: npx node scripts/readme.ts)", async () => {
  expect(readme).toBe(await withBlocks(readme));
});

it("the README has at most 140 lines, and every output in it is a real one", () => {
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(140);
  const fences = readme.match(/^```\w+$/gm) ?? [];
  expect(fences.length).toBeGreaterThan(2);
  expect(readme.match(/<!-- output: \w+ -->\n```/g)).toHaveLength(fences.length);
});

it("the README and the page have the same table of what people keep", () => {
  const cells = (line: readonly string[]) => `| ${line.join(" | ")} |`.replace("|  |", "| |");
  expect(readme).toContain(cells(HEADINGS));
  for (const { name, use, by, cost } of KINDS)
    expect(readme).toContain(cells([`**${name}**`, use, by, cost]));
});

it("the README has badges without a service behind them only, and no network address but known ones", () => {
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, address = ""]) => address);
  const remote = pictures.filter((address) => /^https?:/.test(address));
  expect(remote.filter((address) => !address.startsWith("https://img.shields.io/badge/"))).toEqual([]);
  // npm resolves relative addresses by the repository of package.json.
  expect(pictures.filter((address) => address.startsWith("docs/images/")).length).toBeGreaterThan(1);
});

it("pictures for readers who do not see them have a text", () => {
  const texts = [...readme.matchAll(/!\[([^\]]*)\]\(docs/g)].map(([, text = ""]) => text);
  expect(texts.filter((text) => text.length < 30)).toEqual([]);
});
