import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ApiFailure, failureOf } from "../../../src/web/page/core/api.ts";
import { ROOT } from "../../support/child.ts";

it("whatever a request throws is something that a view can show", () => {
  const known = new ApiFailure(409, "note-changed", "changed", undefined, {});
  expect(failureOf(known)).toBe(known);
  for (const thrown of [new TypeError("x is undefined"), "text", undefined, { odd: 1 }]) {
    const failure = failureOf(thrown);
    expect(failure).toBeInstanceOf(ApiFailure);
    expect(failure).toMatchObject({ code: "page", hint: "reload the page" });
    expect(failure.message).not.toBe("");
  }
});

it("no view throws on what is no failure of the API: nobody would see it", () => {
  const page = join(ROOT, "src/web/page");
  const throwing = globSync("**/*.{ts,tsx}", { cwd: page }).filter((file) =>
    /instanceof ApiFailure\)\) throw/.test(readFileSync(join(page, file), "utf8")),
  );
  expect(throwing).toEqual([]);
});
