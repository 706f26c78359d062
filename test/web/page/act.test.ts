import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { act, actAsked } from "../../../src/web/page/core/act.ts";
import { ApiFailure } from "../../../src/web/page/core/api.ts";
import { actions } from "../../../src/web/server/actions.ts";
import { temporaryWeb } from "../../support/web.ts";
import { write } from "../../support/world.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The page's client and the server's routes, without a browser and a socket between them. */
function page(files: Record<string, string> = {}) {
  const { app, root, home } = temporaryWeb(files, [actions]);
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => app.request(path, init));
  return { root, home };
}

const RULE = ".continuo/rules/tests.md";

it("an action is called by its name, with the fields of its command, and answers what --json prints", async () => {
  const { home } = page();
  await act("mute", { what: "profile", everywhere: true });
  expect((await act("mutes", {})).mutes).toMatchObject([{ in: "everywhere" }]);
  await expect(act("unmute", { what: "nothing" })).rejects.toMatchObject({ code: "not-muted" });
  // @ts-expect-error: the compiler knows the fields of each action
  await expect(act("mute", { what: "notes", all: true })).rejects.toBeInstanceOf(ApiFailure);
  // As large as a note may be, and more than other requests may have.
  const content = "é".repeat(1.5 * 1024 * 1024);
  const { uri } = await act("write", { title: "Large", content });
  expect(uri).toBe("memory://large");
  expect(existsSync(join(home.root, "memory/large.md"))).toBe(true);
});

it("a question is passed on, and a yes runs what was shown", async () => {
  const { root } = page({ [RULE]: "Run the tests." });
  const input = { rule: "tests", project: root };
  const asked: string[] = [];
  const say = (yes: boolean) => (question: string) => {
    asked.push(question);
    return yes;
  };
  expect(await actAsked("rules remove", input, say(false))).toBeUndefined();
  expect(existsSync(join(root, RULE))).toBe(true);
  expect(await actAsked("rules remove", input, say(true))).toMatchObject({ removed: true });
  expect(existsSync(join(root, RULE))).toBe(false);
  expect(asked).toEqual([expect.stringContaining("Remove this rule"), asked[0]]);
  await expect(act("rules trust", { project: root })).rejects.toMatchObject({ code: "not-confirmed" });
});

it("a yes to what the page has shown by itself asks nothing, and is refused if that has changed", async () => {
  const { root, home } = page();
  const { uri, checksum } = await act("write", { title: "Plan", content: "First." });
  const shown = { note: uri, permanent: false, checksum };
  write(home.root, { "memory/plan.md": "Another program's." });
  await expect(actAsked("delete", shown, "yes")).rejects.toMatchObject({ code: "note-changed" });
  const trusted = { project: root, checks: "of another time", runs: "none" };
  await expect(actAsked("rules trust", trusted, "yes")).rejects.toMatchObject({
    message: "this has changed since it was shown",
  });
});
