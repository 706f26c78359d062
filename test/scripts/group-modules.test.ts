import { describe, expect, it } from "vitest";
import { extraImports } from "../../scripts/group-modules.mjs";

const module = (size: number, ...imports: string[]) => ({ size, imports, builtins: [] });

describe("modules that share a file", () => {
  it("are joined where one more file would cost more than reading them", () => {
    const modules = new Map([
      ["a", module(50_000, "tiny", "shared")],
      ["b", module(50_000, "tiny", "shared")],
      ["c", module(50_000, "shared")],
      ["tiny", module(10)],
      ["shared", module(9000)],
    ]);
    const extra = extraImports(modules, ["a", "b", "c"], ["a", "b", "c"], [], () => false);
    // `c` reads ten bytes more, and `a` and `b` open one file less.
    expect(Object.fromEntries(extra)).toEqual({ a: [], b: [], c: ["tiny"] });
  });

  it("are not joined where that would cost more", () => {
    const modules = new Map([
      ["a", module(50_000, "large", "shared")],
      ["b", module(50_000, "large", "shared")],
      ["c", module(50_000, "shared")],
      ["large", module(90_000)],
      ["shared", module(90_000)],
    ]);
    const extra = extraImports(modules, ["a", "b", "c"], ["a", "b", "c"], [], () => false);
    expect([...extra.values()].flat()).toEqual([]);
  });

  it("never make a hook load what it does not need", () => {
    const modules = new Map([
      ["hook", module(50_000, "shared")],
      ["command", module(50_000, "tiny", "shared")],
      ["other", module(50_000, "tiny", "shared")],
      ["tiny", module(10)],
      ["shared", module(10)],
    ]);
    const entries = ["hook", "command", "other"];
    const extra = extraImports(modules, entries, entries, ["hook"], () => false);
    expect(extra.get("hook")).toEqual([]);
  });
});
