import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { expectedParams, statementCache } from "../../../src/store/sqlite/database.ts";
import { sqliteCode } from "../../../src/store/sqlite/errors.ts";
import { connect, type Runtime } from "../../../src/store/sqlite/open.ts";
import type { Statement } from "../../../src/store/sqlite/types.ts";
import { childScript } from "../../support/child.ts";
import { sqliteContract } from "./contract.ts";
import { runCase } from "./run-case.ts";

// As one script: otherwise each of many processes would read and strip all its modules.
const folder = mkdtempSync(join(tmpdir(), "program-"));
const program = await childScript(folder, 'import "./test/store/sqlite/main.ts";');

describe(`sqlite contract on Node ${process.version}`, () => {
  for (const contract of sqliteContract) it(contract.name, () => runCase(contract, program));
});

describe("statement cache", () => {
  it("prepares once, keeps recently used statements, and finalizes those that it drops", () => {
    const finalized: string[] = [];
    const prepare = vi.fn((sql: string) => ({ finalize: () => finalized.push(sql) }) as unknown as Statement);
    const cache = statementCache(prepare, 2);
    for (const sql of ["a", "b", "a", "c", "a"]) cache.get(sql);
    expect(prepare.mock.calls.flat()).toEqual(["a", "b", "c"]);
    expect(finalized).toEqual(["b"]);
    cache.clear();
    expect(finalized).toEqual(["b", "c", "a"]);
    cache.get("a");
    expect(prepare).toHaveBeenCalledTimes(4);
  });
});

describe("parameters of a statement", () => {
  it.each([
    ["SELECT ?, ?", 2, []],
    ["SELECT ?3, ?", 4, []],
    ["SELECT $a, :b, @c, $a", 0, ["a", "b", "c"]],
    [`SELECT '?', "$a", [:b], \`@c\`, 'it''s ?' -- ? $d`, 0, []],
    ["SELECT /* ? $a */ json_extract(x, '$.a') ->> '$.b'", 0, []],
    ["SELECT a::b", 0, ["b"]],
  ])("%s", (sql, count, names) => {
    const expected = expectedParams(sql);
    expect([expected.count, [...expected.names]]).toEqual([count, names]);
  });
});

describe("a runtime without SQLite", () => {
  const runtime = (versions: object, builtin?: Runtime["getBuiltinModule"]): Runtime => ({
    version: "v20.20.2",
    versions: versions as NodeJS.ProcessVersions,
    emitWarning: vi.fn(),
    ...(builtin && { getBuiltinModule: builtin }),
  });

  it.each([
    ["no module", runtime({}, () => undefined), /^Node 20\.20\.2 has no built-in SQLite$/],
    ["not even getBuiltinModule", runtime({}), /Node 20\.20\.2/],
    ["Bun", runtime({ bun: "1.0.0" }, () => undefined), /^Bun 1\.0\.0 has no built-in SQLite/],
  ])("says which one to install: %s", (_, old, message) => {
    const hint = expect.stringMatching(/Node 24 \(or Node 22\.19/);
    expect(() => connect("x", false, old)).toThrow(expect.objectContaining({ code: "sqlite-missing", hint }));
    expect(() => connect("x", false, old)).toThrow(message);
  });

  it("suppresses SQLite's own warning and no other", () => {
    const heard = vi.fn();
    const warning: Runtime = {
      version: "v22.19.0",
      versions: {} as NodeJS.ProcessVersions,
      emitWarning: heard,
      getBuiltinModule() {
        warning.emitWarning(
          "SQLite is an experimental feature and might change at any time",
          "ExperimentalWarning",
        );
        warning.emitWarning("Other is an experimental feature", "ExperimentalWarning");
        warning.emitWarning(new Error("SQLite is an experimental something"));
        return undefined;
      },
    };
    expect(() => connect("x", false, warning)).toThrow();
    expect(heard).toHaveBeenCalledTimes(2);
    expect(warning.emitWarning).toBe(heard);
  });
});

describe("sqliteCode", () => {
  it.each([
    [Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode: 1555 }), 19],
    [Object.assign(new Error("x"), { name: "SQLiteError", errno: 261 }), 5],
    [Object.assign(new Error("x"), { code: "ENOENT", errno: -2 }), undefined],
    ["x", undefined],
  ])("%s", (error, code) => {
    expect(sqliteCode(error)).toBe(code);
  });
});
