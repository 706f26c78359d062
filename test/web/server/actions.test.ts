import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RulesList } from "../../../src/web/api/rules.ts";
import { actions } from "../../../src/web/server/actions.ts";
import { json, temporaryWeb } from "../../support/web.ts";
import { write } from "../../support/world.ts";

const RULE = ".continuo/rules/tests.md";

it("an action that asks the person is refused without their yes, and changes nothing", async () => {
  const { app, root } = temporaryWeb({ [RULE]: "Run the tests." }, [actions]);
  const ask = (name: string, body: object) => app.request(`/api/do/${name}`, json("POST", body));
  for (const yes of [undefined, false, "true", 1, true]) {
    const refused = await ask("rules/remove", { rule: "tests", project: root, yes });
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: "not-confirmed" } }]);
  }
  expect((await ask("rules/trust", { project: root })).status).toBe(409);
  expect(existsSync(join(root, RULE))).toBe(true);
  const asked = await (await ask("rules/remove", { rule: "tests", project: root })).json();
  expect(asked.ask).toContain("Remove this rule");
  const done = await ask("rules/remove", { ...asked.input, yes: true });
  expect([done.status, await done.json()]).toMatchObject([200, { removed: true }]);
  expect(existsSync(join(root, RULE))).toBe(false);
  // One that asks nothing knows no yes.
  expect((await ask("mutes", { yes: true })).status).toBe(400);
});

it("what was shown of a project's checks is all that is trusted", async () => {
  const rule = (never: string) => `---\nchecks: { edits: { never: '${never}', reaction: deny } }\n---\nNo.`;
  const { app, root } = temporaryWeb({ [RULE]: rule("one") }, [actions]);
  const trust = (body: object) =>
    app.request("/api/do/rules/trust", json("POST", { project: root, ...body }));
  const { input } = await (await trust({})).json();
  for (const unseen of [{}, { ...input, runs: "none" }, { ...input, checks: "of-another-time" }])
    expect((await trust({ ...unseen, yes: true })).status).toBe(409);
  write(root, { [RULE]: rule("two") });
  expect((await trust({ ...input, yes: true })).status).toBe(409);
  const seen = (await (await trust({})).json()).input;
  expect((await trust({ ...seen, yes: true })).status).toBe(200);
});

it("actions reach known projects and folders of notes only", async () => {
  const check = "---\nchecks: { commands: { never: 'rm', reaction: deny } }\n---\n\nNever delete.\n";
  const { send, user, home, root } = temporaryWeb({ [RULE]: check });
  const other = join(user, "other");
  write(other, { [RULE]: check, "notes/secret.md": "# Secret\nhunter2" });
  for (const [address, body] of [
    ["rules/list", { project: other }],
    ["rules/list", { project: "../user/other" }],
    ["rules/add", { project: other, text: "Do X." }],
    ["rules/trust", { project: user, yes: true }],
    ["rules/remove", { project: other, rule: "tests", yes: true }],
    ["memory/add", { folder: join(other, "notes") }],
    ["memory/use", { folder: join(user, "new") }],
    ["memory/export", { folder: join(user, "copy") }],
    ["memory/add", { folder: home.root }],
    ["rules/try", { rule: join(other, RULE), project: root }],
    ["rules/try", { rule: "../user/other/.continuo/rules/tests.md", project: root }],
  ] as const) {
    const { status, body: said } = await send("POST", `/api/do/${address}`, body);
    expect([address, status, said.error?.code]).toEqual([address, 403, "path-not-allowed"]);
  }
  expect(existsSync(join(other, RULE))).toBe(true);
  write(root, { "draft.md": check });
  expect((await send("POST", "/api/do/rules/try", { rule: join(root, "draft.md") })).status).toBe(200);
  expect((await send("POST", "/api/do/rules/list", { project: root })).status).toBe(200);
});

it("nothing is trusted but what was shown, whatever the short ids of checks are", async () => {
  // Whoever writes the rules finds two such patterns in a second: the ids of both checks are ffb68c7c.
  const [mild, hard] = ["rm -rf /211953", ".*(git|npm|x8789)"].map(
    (pattern) => `---\nchecks: { commands: { never: '${pattern}', reaction: deny } }\n---\n\nR.\n`,
  ) as [string, string];
  const { get, send, root } = temporaryWeb({ [RULE]: mild });
  const { trust } = await get<RulesList>("/api/rules");
  const said = { project: root, checks: trust.checks, runs: trust.runsToken };
  write(root, { [RULE]: hard });
  const refused = await send("POST", "/api/rules/trust", said);
  expect([refused.status, refused.body.error?.code]).toEqual([409, "checks-changed"]);
  write(root, { [RULE]: mild });
  expect(await send("POST", "/api/rules/trust", said)).toMatchObject({ body: { hasChanged: false } });
  write(root, { [RULE]: hard });
  expect((await get<RulesList>("/api/rules")).trust.hasChanged).toBe(true);
});
