import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkSessions } from "../../../../src/cli/commands/doctor/sessions.ts";
import { sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
import { answer, ask, place } from "../../../sources/sessions/place.ts";
import { inputIn } from "../../../support/in-process.ts";

const ID = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";

function setUp() {
  const here = place();
  here.write(ID, [ask("Fix the rounding of prices"), answer("Done.")]);
  const check = async () => {
    const world = inputIn({ env: here.env, root: here.folder });
    const found: string[] = [];
    for await (const { status, detail } of checkSessions(world, here.home)) found.push(`${status} ${detail}`);
    return found;
  };
  return { ...here, check, path: sessionsIndexPath(here.home) };
}

it("doctor creates no index of sessions, and says how to create one", async () => {
  const { check, path } = setUp();
  expect(await check()).toEqual(["ok none indexed yet; to index all: continuo sessions index"]);
  expect(existsSync(path)).toBe(false);
});

it("doctor counts the indexed sessions of each host, and says when there may be more", async () => {
  const { check, open } = setUp();
  const sessions = open();
  expect(await check()).toEqual(["ok none found; to index the rest: continuo sessions index"]);
  await sessions.sync();
  expect(await check()).toEqual(["ok indexed: claude-code 1"]);
});

it("doctor reports a damaged index", async () => {
  const { check, home, path } = setUp();
  mkdirSync(home.root, { recursive: true });
  writeFileSync(path, "not a database ".repeat(400));
  const [damaged, now] = await check();
  expect(damaged).toMatch(/^warn .*sessions\.db: /);
  expect(now).toBe("ok none found; to index the rest: continuo sessions index");
});
