import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendLedger } from "../../../../src/moments/state/ledger.ts";
import { addMute } from "../../../../src/store/mutes.ts";
import { readTrust } from "../../../../src/store/trust.ts";
import type { WebEvent } from "../../../../src/web/api/events.ts";
import type { RulesList, TrustState, TryAnswer } from "../../../../src/web/api/rules.ts";
import { rules } from "../../../../src/web/server/rules/routes.ts";
import { json, temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const MONEY = `---
globs: ["src/**/*.ts"]
---
Amounts are whole cents.
`;
const TESTS = "Run the tests before you say done.\n";
const FORCE = `---
keywords: [release]
guard:
  - { action: deny, tool: Bash, match: "push --force", message: "Never force-push" }
---
How to release.
`;

function world(files: Record<string, string> = {}) {
  const made = temporaryWeb(
    {
      ".continuo/rules/money.md": MONEY,
      ".continuo/rules/tests.md": TESTS,
      ".continuo/rules/release.md": FORCE,
      ...files,
    },
    [rules],
  );
  const events: WebEvent[] = [];
  made.web.subscribe((event) => void events.push(event));
  return {
    ...made,
    events,
    async list(): Promise<RulesList> {
      const answer = await made.app.request(`/api/rules?project=${encodeURIComponent(made.root)}`);
      expect(answer.status, await answer.clone().text()).toBe(200);
      return (await answer.json()) as RulesList;
    },
    async send<T>(method: string, address: string, body: unknown) {
      const answer = await made.app.request(address, json(method, body));
      return { status: answer.status, body: (await answer.json()) as T & { error?: { code: string } } };
    },
  };
}

describe("GET /api/rules", () => {
  it("says of each rule whether it holds in a new session, why, and what it waits for", async () => {
    const w = world();
    const { rules, project, projects, total } = await w.list();
    expect(total).toBe(3);
    expect(project.root).toBe(w.root);
    expect(projects).toContainEqual(project);
    const byName = Object.fromEntries(rules.map((one) => [one.key.split("/").at(-1), one]));
    expect(byName["tests.md"]).toMatchObject({
      state: "active",
      because: "always on",
      condition: "",
      dialect: "continuo",
    });
    expect(byName["money.md"]).toMatchObject({
      state: "waiting",
      condition: "a file matching src/**/*.ts is touched",
      scope: "project",
      path: join(w.root, ".continuo/rules/money.md"),
    });
    expect(byName["release.md"]?.checks).toMatchObject([
      { on: "calls", reaction: "deny", what: "Bash when /push --force/" },
    ]);
  });

  it("says why a file is not used", async () => {
    const w = world({
      ".continuo/rules/broken.md": "---\nglobs: [unclosed\n---\nText\n",
      ".cursor/rules/tests.mdc": "---\nalwaysApply: true\n---\nRun the tests before you say done.\n",
    });
    const { refused } = await w.list();
    expect(refused.find(({ path }) => path.endsWith("broken.md"))).toMatchObject({ why: "refused" });
    expect(refused.find(({ path }) => path.endsWith("tests.mdc"))).toMatchObject({ why: "duplicate" });
  });

  it("counts deliveries from the ledger, also those that come later and those of other projects apart", async () => {
    const w = world();
    const key = (await w.list()).rules.find((one) => one.name.includes("tests"))?.key ?? "";
    const deliver = (at: number, project = w.root) =>
      appendLedger(w.home, at, {
        kind: "delivered",
        what: "snapshot",
        host: "pi",
        session: "s1",
        project,
        epoch: 1,
        tokens: 9,
        fingerprint: "f",
        items: [{ source: "rules", key, title: "tests", reason: "always on", tokens: 9 }],
        dropped: [],
      });
    deliver(Date.parse("2026-02-01T10:00:00Z"));
    deliver(Date.parse("2026-02-01T10:00:00Z"), "/elsewhere");
    const times = async () => (await w.list()).rules.find((one) => one.key === key);
    expect(await times()).toMatchObject({ delivered: 1, lastDelivered: "2026-02-01T10:00:00.000Z" });
    deliver(Date.parse("2026-02-02T10:00:00Z"));
    expect(await times()).toMatchObject({ delivered: 2, lastDelivered: "2026-02-02T10:00:00.000Z" });
    expect((await w.list()).countedSince).toBe("2026-02-01T10:00:00.000Z");
  });

  it("shows a muted rule as muted", async () => {
    const w = world();
    const key = (await w.list()).rules.find((one) => one.name.includes("tests"))?.key ?? "";
    await addMute(w.home, {
      in: "project",
      project: w.root,
      what: `rules/${key}`,
      at: new Date().toISOString(),
    });
    expect((await w.list()).rules.find((one) => one.key === key)).toMatchObject({
      state: "muted",
      because: "you muted it in this project",
    });
  });

  it("gives names with markup as text, and bounds what a repository can fill it with", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1200 }, (_, i) => [
        `.continuo/rules/many-${i}.md`,
        `---\nkeywords: [k${i}]\n---\nRule ${i}\n`,
      ]),
    );
    const w = world({
      ...many,
      ".continuo/rules/a-script.md": `---\nname: '<script>alert(1)</script>${"x".repeat(3000)}'\n---\nHi\n`,
    });
    let list = await w.list();
    // A set this large may take several readings, as in hooks.
    for (let i = 0; i < 50 && list.refused.some(({ why }) => why === "pending"); i++) list = await w.list();
    expect(list.total).toBeGreaterThan(1200);
    expect(list.rules.length).toBe(1000);
    expect(Math.max(...list.rules.map(({ name }) => name.length))).toBeLessThan(210);
  });

  it("refuses a project that is not known, and one whose folder is gone", async () => {
    const w = world();
    const asked = async (root: string) =>
      (await w.app.request(`/api/rules?project=${encodeURIComponent(root)}`)).status;
    expect(await asked("/etc")).toBe(404);
    expect(await asked("../..")).toBe(404);
    rmSync(w.root, { recursive: true });
    expect(await asked(w.root)).toBe(404);
  });
});

describe("POST /api/rules/try", () => {
  it("says which rules a path, a prompt and a command bring, and what a check would say", async () => {
    const w = world({ "src/cart.ts": "export {};\n" });
    const project = w.root;
    const path = await w.send<TryAnswer>("POST", "/api/rules/try", { project, path: "src/cart.ts" });
    expect(path.body.rules).toMatchObject([
      {
        name: expect.stringContaining("money"),
        because: expect.stringContaining("src/cart.ts"),
        isNew: true,
      },
      { name: expect.stringContaining("tests"), isNew: false },
    ]);
    expect(path.body.verdict).toBeUndefined();
    const names = path.body.rules.map(({ key }) => key);
    expect(path.body.others.length).toBeGreaterThan(0);
    for (const { key, because } of path.body.others) {
      expect(names).not.toContain(key);
      expect(because).not.toBe("");
    }
    const prompt = await w.send<TryAnswer>("POST", "/api/rules/try", {
      project,
      prompt: "prepare a release",
    });
    expect(prompt.body.rules.find(({ isNew }) => isNew)?.because).toContain('keyword "release"');
    const command = await w.send<TryAnswer>("POST", "/api/rules/try", {
      project,
      command: "git push --force origin main",
    });
    expect(command.body).toMatchObject({
      verdict: { action: "deny", message: expect.stringContaining("Never force-push") },
      isTrusted: false,
    });
  });

  it("refuses megabytes, paths outside the project and unknown fields", async () => {
    const w = world();
    const project = w.root;
    const status = async (body: unknown) => (await w.send("POST", "/api/rules/try", body)).status;
    expect(await status({ project, prompt: "x".repeat(60_000) })).toBe(400);
    expect(await status({ project, prompt: "x".repeat(3_000_000) })).toBe(413);
    expect(await status({ project, path: "../../etc/passwd" })).toBe(400);
    expect(await status({ project: "/etc", path: "passwd" })).toBe(404);
    expect(await status({ project, shell: "ls" })).toBe(400);
  });
});

describe("trust", () => {
  it("needs exactly the checks that were shown, and can be revoked", async () => {
    const w = world();
    const { trust } = await w.list();
    expect(trust).toMatchObject({
      isTrusted: false,
      total: 1,
      shown: [
        { reaction: "deny", message: "Never force-push", path: join(w.root, ".continuo/rules/release.md") },
      ],
    });
    const wrong = await w.send("POST", "/api/rules/trust", {
      project: w.root,
      checks: "other",
      runs: trust.runsToken,
    });
    expect(wrong).toMatchObject({ status: 409, body: { error: { code: "checks-changed" } } });
    expect(readTrust(w.home).projects).toEqual([]);
    const given = await w.send<TrustState>("POST", "/api/rules/trust", {
      project: w.root,
      checks: trust.checks,
      runs: trust.runsToken,
    });
    expect(given.body).toMatchObject({ isTrusted: true, hasChanged: false });
    expect(w.events).toContainEqual({ type: "rules" });
    write(w.root, { ".continuo/rules/more.md": FORCE.replace("push --force", "rm -rf") });
    expect((await w.list()).trust).toMatchObject({ isTrusted: true, hasChanged: true, total: 2 });
    const late = await w.send("POST", "/api/rules/trust", {
      project: w.root,
      checks: trust.checks,
      runs: trust.runsToken,
    });
    expect(late.status).toBe(409);
    await w.send("DELETE", "/api/rules/trust", { project: w.root });
    expect((await w.list()).trust).toMatchObject({ isTrusted: false });
  });

  it("shows commands in full and accepts exactly those that were shown", async () => {
    const w = world();
    const rule = (command: string) => `---\nchecks:\n  run:\n    - command: ${command}\n---\nLint.`;
    write(w.root, { ".continuo/rules/lint.md": rule("npx eslint --quiet 'a  b'") });
    const { trust } = await w.list();
    expect(trust).toMatchObject({
      totalRuns: 1,
      runs: [{ command: "npx eslint --quiet 'a  b'", about: "on any file; at most 60 s", isAccepted: false }],
    });
    const give = (state: TrustState) =>
      w.send<TrustState>("POST", "/api/rules/trust", {
        project: w.root,
        checks: state.checks,
        runs: state.runsToken,
      });
    write(w.root, { ".continuo/rules/lint.md": rule("npx eslint --fix") });
    expect((await give(trust)).status).toBe(409);
    expect(readTrust(w.home)).toMatchObject({ projects: [], runs: {} });
    const given = await give((await w.list()).trust);
    expect(given.body).toMatchObject({ isTrusted: true, hasChanged: false, runs: [{ isAccepted: true }] });
    expect(readTrust(w.home).runs[w.root]?.join()).toContain("--fix");
    write(w.root, { ".continuo/rules/lint.md": rule("npx eslint --other") });
    expect((await w.list()).trust).toMatchObject({ hasChanged: true, runs: [{ isAccepted: false }] });
  });

  it("explains a damaged list of trusted projects, and trusts nothing by it", async () => {
    const w = world();
    write(w.home.root, { "trust.json": "{ broken" });
    const { trust } = await w.list();
    expect(trust.isTrusted).toBe(false);
    expect(trust.damage?.hint).toContain("continuo rules trust");
  });
});
