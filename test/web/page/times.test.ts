import { expect, it } from "vitest";
import { ago } from "../../../src/base/when.ts";
import { relative } from "../../../src/web/page/core/format.ts";

/** The page imports nothing from below, so it has its own. */
it("a time on the page is in the words of the command line", () => {
  for (const clock of ["2026-11-16T00:40:00", "2026-11-16T10:00:00", "2026-11-16T23:30:00"]) {
    const now = new Date(clock).getTime();
    for (let hours = 0; hours < 24 * 10; hours += 0.25)
      expect(relative(now - hours * 3_600_000, now)).toBe(ago(now - hours * 3_600_000, now));
  }
  const now = new Date("2026-11-16T10:00:00").getTime();
  expect(relative(new Date("2025-03-12T10:00:00").getTime(), now)).toBe("12 Mar 2025");
});
