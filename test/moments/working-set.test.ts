import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hottestFiles,
  projectPath,
  rankFiles,
  useFiles,
  wasUsedBefore,
} from "../../src/moments/working-set.ts";
import { temporaryFolder } from "../support/world.ts";

describe("wasUsedBefore", () => {
  it("does not count the accesses of the last call", () => {
    const first = useFiles([], [{ path: "a", access: "read" }], 1);
    const call = [{ path: "b", access: "edit" }] as const;
    const second = useFiles(first, call, 2);
    expect(["a", "b", "c"].map((path) => wasUsedBefore(second, path, call))).toEqual([true, false, false]);
    expect(wasUsedBefore(useFiles(second, call, 3), "b", call)).toBe(true);
  });
});

describe("useFiles", () => {
  it("puts edited files before read ones, most recent first", () => {
    let set = useFiles([], [{ path: "a", access: "edit" }], 1);
    set = useFiles(set, [{ path: "b", access: "read" }], 2);
    set = useFiles(set, [{ path: "c", access: "edit" }], 3);
    set = useFiles(set, [{ path: "d", access: "read" }], 4);
    expect(rankFiles(set).map((use) => use.path)).toEqual(["c", "a", "d", "b"]);
  });

  it("still counts a file as edited when it is read again", () => {
    let set = useFiles([], [{ path: "a", access: "edit" }], 1);
    set = useFiles(set, [{ path: "a", access: "read" }], 2);
    expect(set).toMatchObject([{ path: "a", edited: true, at: 2, turn: 2 }]);
  });

  it("leaves out paths that no file can have, which would be read and written at every hook", () => {
    const set = useFiles(
      [],
      [
        { path: "a".repeat(1_000_000), access: "read" },
        { path: "b", access: "read" },
      ],
      1,
    );
    expect(set.map((use) => use.path)).toEqual(["b"]);
  });

  it("contains each file once, the newest last, and never more than its limit", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 }), (paths) => {
        const set = paths.reduce(
          (now, path, i) => useFiles(now, [{ path, access: "read" }], i),
          [] as ReturnType<typeof useFiles>,
        );
        expect(new Set(set.map((use) => use.path)).size).toBe(set.length);
        if (paths.length > 0) expect(set.at(-1)?.path).toBe(paths.at(-1));
      }),
    );
    const many = Array.from({ length: 6000 }, (_, i) => ({ path: `f${i}`, access: "read" as const }));
    expect(useFiles([], many, 1)).toHaveLength(5000);
  });
});

describe("hottestFiles", () => {
  it("prefers files that are used often and recently over one that was used once just now", () => {
    let set = useFiles(
      [],
      Array.from({ length: 6 }, () => ({ path: "often", access: "read" as const })),
      1,
    );
    set = useFiles(
      set,
      Array.from({ length: 30 }, (_, i) => ({ path: `once${i}`, access: "read" as const })),
      2,
    );
    expect(hottestFiles(set, 2).map((use) => use.path)).toEqual(["often", "once29"]);
    set = useFiles(
      set,
      Array.from({ length: 400 }, (_, i) => ({ path: `later${i}`, access: "read" as const })),
      3,
    );
    expect(hottestFiles(set, 1).map((use) => use.path)).toEqual(["later399"]);
  });
});

describe("projectPath", () => {
  it("is relative inside the project and absolute outside, even through links", () => {
    const folder = temporaryFolder();
    const root = join(folder, "real");
    mkdirSync(join(root, "src"), { recursive: true });
    symlinkSync(root, join(folder, "link"));
    expect(projectPath(join(root, "src/a.ts"), folder, root)).toBe("src/a.ts");
    expect(projectPath("a.ts", join(root, "src"), root)).toBe("src/a.ts");
    expect(projectPath(join(folder, "link/src/new.ts"), folder, root)).toBe("src/new.ts");
    expect(projectPath("/etc/passwd", folder, root)).toBe("/etc/passwd");
    expect(projectPath("../outside.ts", root, root)).toBe(join(folder, "outside.ts"));
  });
});
