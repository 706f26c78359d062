import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { failure, markReported, pendingFailures, readHealth, recordHealth } from "../../src/store/health.ts";
import { homeAt } from "../../src/store/home.ts";
import { temporaryFolder } from "../support/world.ts";

afterEach(() => vi.unstubAllEnvs());

it("a failure that could not be written to its home is reported for that home only", () => {
  const folder = temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  const [broken, other] = [join(folder, "broken", "logs"), join(folder, "other", "logs")];
  mkdirSync(join(folder, "broken"));
  writeFileSync(broken, "a file where a folder belongs");
  expect(recordHealth(broken, failure("hook", new Error("no room"), Date.now()))).toBe(true);
  expect(readHealth(broken).records.map(({ message }) => message)).toEqual(["no room"]);
  expect(readHealth(other).records).toEqual([]);
});

it("failures that a moment records after its beginning are told with it, and not again", () => {
  const home = homeAt(temporaryFolder());
  const begun = Date.now() - 5_000;
  recordHealth(home.logs, failure("rules", new Error("unreadable"), begun + 68));
  expect(pendingFailures(home)).toHaveLength(1);
  markReported(home, begun);
  expect(pendingFailures(home)).toEqual([]);
});
