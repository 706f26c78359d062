import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { saidMoreThanOnce } from "../../../../../src/sources/profile/learning/extraction/said-before.ts";
import { history } from "../../../../support/histories.ts";
import { temporaryWorld } from "../../../../support/world.ts";
import { lineOf } from "../../../sessions/place.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const DAY = 86_400_000;

function world() {
  const { env, root } = temporaryWorld();
  const session = (id: string, daysAgo: number, texts: readonly string[], more: object = {}) => {
    const cwd = typeof more === "object" && "cwd" in more ? String(more.cwd) : root;
    const folder = join(env["HOME"] ?? "", ".claude/projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"));
    mkdirSync(folder, { recursive: true });
    const at = NOW - daysAgo * DAY;
    const timestamp = new Date(at).toISOString();
    const path = join(folder, `${id}.jsonl`);
    const line = (text: string) => lineOf(id, { role: "user", text }, { cwd, timestamp, ...more });
    writeFileSync(path, texts.map(line).join(""));
    utimesSync(path, at / 1000, at / 1000);
    return path;
  };
  const said = async (isOver = () => false) => {
    const found = await saidMoreThanOnce(history, env, {
      since: NOW - 30 * DAY,
      isSame: (a, b) => a.replace(/[^a-z]/gi, "") === b.replace(/[^a-z]/gi, ""),
      isOver,
    });
    return found.map(({ wish, sessions }) => `${sessions} x ${wish.content}`);
  };
  return { env, root, session, said };
}

describe("what was said more than once", () => {
  it("is found in any words, the most often said first", async () => {
    const { session, said } = world();
    session("a", 1, ["Fix the cart. From now on always use pnpm.", "never push to main"]);
    session("b", 2, ["please always use pnpm from now on", "Why is the cart red?"]);
    session("c", 3, ["always use pnpm", "Never push to main!"]);
    session("d", 4, ["Always run the linter before you commit"]);
    expect(await said()).toEqual(["3 x Always use pnpm", "2 x Never push to main"]);
  });

  it("is not what one session repeats, a fork copied, a script sends or an old session has", async () => {
    const { session, said } = world();
    session("a", 1, ["never push to main", "never push to main, please"]);
    session("b", 40, ["never push to main"]);
    session("c", 2, ["never push to main"], { entrypoint: "sdk-cli", promptSource: "sdk" });
    session("d", 2, ["always use pnpm"], { uuid: "same" });
    session("e", 3, ["always use pnpm"], { uuid: "same" });
    expect(await said()).toEqual([]);
  });

  it("needs three sessions for a remark that may be about a task", async () => {
    const { session, said } = world();
    session("a", 1, ["run the tests first"]);
    session("b", 2, ["run the tests first"]);
    expect(await said()).toEqual([]);
    session("c", 3, ["run the tests first"]);
    expect(await said()).toEqual(["3 x Run the tests first"]);
  });

  it("is read as far as the time goes, newest first", async () => {
    const { session, said } = world();
    for (let i = 0; i < 20; i++) session(`s${i}`, i + 1, ["never push to main"]);
    let asked = 0;
    expect((await said(() => ++asked > 40)).length).toBeLessThanOrEqual(1);
    expect(await said(() => true)).toEqual([]);
  });

  it("holds everywhere if it was said in several projects", async () => {
    const { env, root, session } = world();
    session("a", 1, ["We use vitest here, not jest"]);
    session("b", 2, ["We use vitest here, not jest"], { cwd: `${root}-other` });
    const found = await saidMoreThanOnce(history, env, {
      since: 0,
      isSame: () => false,
      isOver: () => false,
    });
    expect(found.map(({ wish }) => wish.scope)).toEqual(["everywhere"]);
  });

  it("stays with its project if it names one, or was said in folders of one repository", async () => {
    const { env, root, session } = world();
    session("a", 1, ["We use vitest in this repo, not jest"]);
    session("b", 2, ["We use vitest in this repo, not jest"], { cwd: `${root}-other` });
    mkdirSync(join(root, ".git", "objects"), { recursive: true });
    mkdirSync(join(root, ".git", "refs"));
    writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
    mkdirSync(join(root, "packages", "a"), { recursive: true });
    session("c", 3, ["Never use console.log in src."]);
    session("d", 4, ["Never use console.log in src."], { cwd: join(root, "packages", "a") });
    const found = await saidMoreThanOnce(history, env, {
      since: 0,
      isSame: () => false,
      isOver: () => false,
    });
    expect(found.map(({ wish }) => wish.scope)).toEqual(["project", "project"]);
  });
});
