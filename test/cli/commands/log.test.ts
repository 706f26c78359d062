import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { unpainted } from "../../../src/cli/terminal/paint.ts";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { widthOf } from "../../../src/cli/terminal/table.ts";
import { newestDeliveries } from "../../../src/moments/given/deliveries.ts";
import { itemsInWords } from "../../../src/moments/given/words.ts";
import { CONTINUO } from "../../support/child.ts";
import { commandWorld, runInProcess } from "../../support/in-process.ts";
import { deliveries, delivery } from "../../support/ledger-lines.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const FILE = "ledger/ledger-000001.jsonl";

function line(fields: object, items: readonly object[] = []): string {
  const head = {
    v: 1,
    at: new Date().toISOString(),
    kind: "delivered",
    host: "claude-code",
    session: "abc-1",
  };
  const rest = { project: "/work/shop/.git", epoch: 1, what: "addition", tokens: 42, items };
  return `${JSON.stringify({ ...head, ...rest, ...fields })}\n`;
}

const item = (source: string, title: string, key = title) => ({ source, key, title, reason: "r", tokens: 1 });

function worldWith(text: string) {
  const world = commandWorld();
  write(world.home.root, { [FILE]: text });
  return { ...world, run: (...args: string[]) => world.run("log", ...args) };
}

/** What a terminal of 60 columns shows. */
async function onNarrowScreen(env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  const screen = { ...PLAIN, width: 60, height: 20, isTerminal: true, isFitted: true, hasUnicode: true };
  const { code, stdout } = await runInProcess(["log"], { env, cwd, screen });
  expect(code).toBe(0);
  return stdout;
}

it("calls a learning a learning, not by its kind in the profile", () => {
  const learning = item("seed", "pattern", "learning/1");
  expect(itemsInWords([learning, item("seed", "identity")])).toBe("1 learning, identity");
  expect(itemsInWords([item("memory", "Refunds")])).toBe("note Refunds");
});

describe("continuo log", () => {
  it("has one line per delivery, the newest last, with agent, project, what was given and its tokens", async () => {
    const { run } = worldWith(
      line({ what: "snapshot", moment: "start" }, [
        item("rules", "a.md"),
        item("rules", "b.md"),
        item("sessions", "last session", "left-off/0"),
      ]) +
        line({ kind: "compacting", trigger: "auto" }) +
        line({ moment: "tool", tool: "Edit", tokens: 1 }, [item("rules", "money.md", "broken/1/1")]) +
        line({ kind: "replayed", fingerprint: "x" }),
    );
    const { stdout, code } = await run();
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^just now +Claude Code +shop +start: 2 rules, last session \(42 tokens\) +abc-1$/,
    );
    expect(lines[1]).toContain("Edit: broken rule money.md (1 token)");
    expect(lines[2]).toContain("resume: the same text again");
  });

  it("counts past sessions as one kind of thing", async () => {
    const sessions = ["last session", "earlier session", "earlier session"];
    const { run } = worldWith(
      line(
        {},
        sessions.map((title, i) => item("sessions", title, `left-off/${i}`)),
      ),
    );
    expect((await run()).stdout).toContain(": 3 past sessions (");
  });

  it("prints one JSON object per line with --json, and only as many as --limit says", async () => {
    const { run } = worldWith(deliveries(0, 30));
    const { stdout } = await run("--json", "--limit", "3");
    const all = stdout.trimEnd().split("\n");
    expect(all.map((one) => JSON.parse(one).session)).toEqual(["ses_2", "ses_3", "ses_4"]);
    expect(JSON.parse(all[0] ?? "")).toMatchObject({ host: "opencode", tokens: 50, items: [{}, {}] });
  });

  it("shows only the session that --session names, by the beginning of its id", async () => {
    const { run } = worldWith(deliveries(0, 30) + line({ session: "other-7" }, [item("memory", "Refunds")]));
    expect((await run("--session", "OTHER")).stdout).toContain("note Refunds");
    expect((await run("--session", "OTHER")).stdout).not.toContain("OpenCode");
    expect((await run("--session", "nobody")).stdout).toContain(
      'Nothing was given to a session called "nobody"',
    );
  });

  it("says what to do if nothing was delivered yet, and creates nothing", async () => {
    const world = temporaryWorld();
    const { stdout } = await runInProcess(["log"], { env: world.env, cwd: world.root });
    expect(stdout).toContain("No session was given anything yet");
  });

  it("fits a narrow terminal and shows no control characters of a stranger's title", async () => {
    const { env, root } = worldWith(
      line({ project: "/x/a-very-long-project-name-日本語" }, [
        item("rules", "\u001b[31mred\u001b[0m 日本語".repeat(9)),
      ]),
    );
    const out = await onNarrowScreen(env, root);
    expect(out).not.toContain("\u001b");
    for (const one of out.trimEnd().split("\n")) expect(widthOf(unpainted(one))).toBeLessThanOrEqual(60);
  });

  it("counts what was given if the names do not fit, so that a long one hides nothing", async () => {
    const rule = item("rules", "run-the-tests-before-you-say-that-you-are-done");
    const last = item("sessions", "last session", "left-off/0");
    const { env, root } = worldWith(
      line({ moment: "start" }, [rule, item("memory", "Refunds"), last]) +
        line({ moment: "prompt" }, [item("rules", "short"), last]) +
        line({ moment: "prompt" }, [rule]),
    );
    const out = await onNarrowScreen(env, root);
    expect(out).toContain("start: 1 rule, 1 note, last session (42 tokens)");
    expect(out).toContain("prompt: rule short, last session (42 tokens)");
    expect(out).toContain("prompt: rule run-the-tests-before-");
  });

  it("skips lines that are damaged, too long or of other versions, however the file is cut into slices", () => {
    const huge = `{"v":1,"kind":"delivered","pad":"${"x".repeat(700_000)}"}\n`;
    const { home } = worldWith(
      `${deliveries(0, 3000)}${huge}${delivery(5000).slice(0, 90)}\n{"v":2,"session":"s"}\nnull\n${line({ tokens: "many" })}${delivery(6000)}\n`,
    );
    const all = newestDeliveries(home, 10_000, () => true);
    expect(all).toHaveLength(3001);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
  });

  it("follows: prints what is appended by others, and ends quietly at Ctrl-C", async () => {
    const { env, root, home } = worldWith(line({}, [item("rules", "before.md")]));
    const child = spawn(process.execPath, [CONTINUO, "log", "--follow", "--json"], { env, cwd: root });
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    const until = async (text: string) => {
      while (!out.includes(text)) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until("before.md");
    appendFileSync(
      join(home.root, FILE),
      line({ at: "2026-01-01T00:00:00.000Z" }, [item("rules", "after.md")]),
    );
    await until("after.md");
    const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(out.match(/before\.md/g)).toHaveLength(2); // key and title, once
  });
});
