import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateMeaning } from "../../../src/search/meaning/table.ts";
import { ROOT } from "../../support/child.ts";

const SHIPPED = "dist/claude-code-plugin/dist/meaning.bin";

describe("the table's file", () => {
  it("is in the build once, as the sources have it", () => {
    expect(readFileSync(join(ROOT, SHIPPED)).equals(readFileSync(locateMeaning()))).toBe(true);
    expect(locateMeaning()).toBe(join(ROOT, "assets/meaning/table.bin"));
  });

  it.each(["dist", "dist/chunks", "dist/claude-code-plugin/dist"])(
    "is found from the bundles in %s",
    (folder) => {
      expect(locateMeaning(join(ROOT, folder))).toBe(join(ROOT, SHIPPED));
    },
  );

  it("is found where Claude Code has copied the plugin to, and missing without it", () => {
    const copy = join(mkdtempSync(join(tmpdir(), "continuo-plugin-")), "dist");
    mkdirSync(copy);
    try {
      expect(() => locateMeaning(copy)).toThrow(expect.objectContaining({ code: "meaning-missing" }));
      writeFileSync(join(copy, "meaning.bin"), "");
      expect(locateMeaning(copy)).toBe(join(copy, "meaning.bin"));
    } finally {
      rmSync(dirname(copy), { recursive: true });
    }
  });
});
