import { describe, expect, it } from "vitest";
import { readSettings, type Schema } from "../../src/base/settings.ts";

const SCHEMA = {
  root: { kind: "text", default: "", env: "THE_ROOT", help: "a folder" },
  also: { kind: "texts", default: [], env: "ALSO", help: "folders" },
} as const satisfies Schema;

describe("settings that are texts", () => {
  it("are taken as they are, from the file or the environment", () => {
    expect(readSettings({ root: "/a", also: ["/b"] }, SCHEMA, {}).values).toEqual({
      root: "/a",
      also: ["/b"],
    });
    expect(readSettings({}, SCHEMA, { THE_ROOT: "/x", ALSO: "/y, /z" }).values).toEqual({
      root: "/x",
      also: ["/y", "/z"],
    });
  });

  it.each([[{ root: 1 }], [{ also: "/b" }], [{ also: [1] }], [{ also: null }]])(
    "that are wrong, %j, give the default and a problem",
    (given) => {
      const { values, problems } = readSettings(given, SCHEMA, {});
      expect(values).toEqual({ root: "", also: [] });
      expect(problems).toHaveLength(1);
    },
  );
});
