import { expect, it } from "vitest";
import { ContinuoError } from "../../src/base/errors.ts";

it("a hint is one line, whatever names it has; a list has one line each, with its indentation", () => {
  const hintOf = (hint: string | readonly string[]) => new ContinuoError("x", "y", { hint }).hint;
  expect(hintOf('did you mean "a\nTo fix it: rm -rf /"?')).toBe('did you mean "a To fix it: rm -rf /"?');
  expect(hintOf(["use an id:", "  1  a\nb", "  2  c"])).toBe("use an id:\n  1  a b\n  2  c");
  expect(new ContinuoError("x", "y").hint).toBeUndefined();
});
