import { expect, it } from "vitest";
import { ApiFailure, failureOf } from "../../../src/web/page/core/api.ts";

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
