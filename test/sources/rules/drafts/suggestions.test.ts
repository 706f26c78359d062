import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PrepareContext } from "../../../../src/moments/ports/source.ts";
import { readCatalog } from "../../../../src/sources/rules/catalog/catalog.ts";
import { describeQuestion, instructionOf } from "../../../../src/sources/rules/drafts/describe.ts";
import { draftsFrom } from "../../../../src/sources/rules/drafts/drafts-from.ts";
import { draftHeard } from "../../../../src/sources/rules/drafts/hear.ts";
import { draftFromRules } from "../../../../src/sources/rules/drafts/read-rules.ts";
import { checkSuggestions } from "../../../../src/sources/rules/drafts/suggestions.ts";
import { askPerson, readWaiting } from "../../../../src/sources/rules/drafts/waiting.ts";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";
import { RULES_SETTINGS } from "../../../../src/sources/rules/settings.ts";
import { checksToTrust, fingerprintOf, haveChanged } from "../../../../src/sources/rules/trusted-checks.ts";
import { loadSourceSettings } from "../../../../src/store/config.ts";
import { readMutes } from "../../../../src/store/mutes.ts";
import { readTrust, setTrust } from "../../../../src/store/trust.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const RULE = ".continuo/rules/no-any.md";

function setUp(files: Record<string, string> = {}) {
  const world = temporaryWorld(files);
  const { root, home, env, project } = world;
  mkdirSync(home.root, { recursive: true });
  const inbox = checkSuggestions({ home: home.root, env });
  const moment = { session: { host: "pi", id: "s1" }, project, at: 1_000 };
  const say = (sentence: string, scope?: "project") =>
    draftHeard([{ sentence, turn: "t1", ...(scope === undefined ? {} : { scope }) }], moment, {
      home: home.root,
      readOnly: false,
      settings: {},
    });
  const reports: string[] = [];
  const context = {
    home: home.root,
    env,
    settings: {},
    readOnly: false,
    signal: new AbortController().signal,
    report: (code: string) => reports.push(code),
  } as unknown as PrepareContext;
  const readRules = () => draftFromRules({ project, cwd: root, at: 1_000 }, context);
  const file = (name: string) => readFileSync(join(root, name), "utf8");
  const only = () => {
    const [one, ...more] = inbox.list();
    if (one === undefined || more.length > 0)
      throw new Error(`${more.length + Number(one !== undefined)} wait`);
    return one;
  };
  return { ...world, inbox, say, readRules, file, only, reports };
}

describe("a draft from what the person said", () => {
  it("waits once, is a new rule of their own when accepted, and is gone after undo", async () => {
    const { say, only, inbox, home } = setUp();
    await say("I told you not to use any");
    await say("Never use `any`");
    const one = only();
    expect(one).toMatchObject({
      kind: "check",
      quote: "I told you not to use any",
      scope: "everywhere",
      host: "pi",
    });
    const { done, batch, message } = await inbox.accept(one.id);
    const path = join(home.root, "rules", "no-any.md");
    expect(done).toBe(true);
    expect(message).toContain(path);
    const parsed = await parseRule(readFileSync(path, "utf8"), { name: "no-any.md", dialect: "continuo" });
    expect(parsed).toMatchObject({
      kind: "rule",
      lints: [],
      rule: {
        body: "Do not use `any`.",
        checks: [{ on: "edits", never: "\\bany\\b", reaction: "remind" }],
      },
    });
    const text = readFileSync(path, "utf8");
    expect(text).toContain("# You said: I told you not to use any\n");
    expect(text).toContain('globs: ["**/*.{ts,tsx,mts,cts}"]');
    expect(inbox.list()).toEqual([]);
    expect(await inbox.withdraw(batch)).toMatchObject({ done: true });
    expect(existsSync(path)).toBe(false);
    expect(only().id).toBe(one.id);
  });

  it.each([
    ["I told you not to use console.log", "Do not use `console.log`."],
    ["never run `git push --force`", "Do not run `git push --force`."],
    ["always run `npm test` before committing", "Run `npm test` before `git commit`."],
    ['never say "You are absolutely right"', 'Do not say "You are absolutely right".'],
  ])("%s: gives an agent an instruction", (sentence, instruction) => {
    const [drafted] = draftsFrom(sentence, { as: "said" });
    expect(drafted === undefined ? undefined : instructionOf(drafted.check)).toBe(instruction);
  });

  it("is a rule of the project if the person chooses that, with the pattern that they typed", async () => {
    const { say, only, inbox, root } = setUp();
    await say("never use any");
    expect(await inbox.accept(only().id, { scope: "project", text: ": any\\b" })).toMatchObject({
      done: true,
    });
    expect(readFileSync(join(root, RULE), "utf8")).toContain("never: ': any\\b'");
    expect(inbox.list()).toEqual([]);
  });

  it("keeps waiting if the typed pattern cannot be used", async () => {
    const { say, only, inbox, home } = setUp();
    await say("never use any");
    expect(await inbox.accept(only().id, { text: "(?:x" })).toEqual({
      done: false,
      message: "Nothing was changed: the pattern has an open (",
      isAskedAgain: true,
    });
    expect(existsSync(join(home.root, "rules"))).toBe(false);
    expect(only().kind).toBe("check");
  });

  it("never comes back after it was rejected, in other words neither, until that is undone", async () => {
    const { say, only, inbox } = setUp();
    await say("never use any");
    expect((await inbox.reject(only().id)).message).toContain("not suggested again");
    for (const text of ["Stop using `any`", "I told you not to use any", "Verwende nie `any`"])
      await say(text);
    expect(inbox.list()).toEqual([]);
    await inbox.withdraw();
    expect(only().text).toContain("`any`");
  });

  it("writes into no folder outside of the project", async () => {
    const { say, only, inbox, root, home } = setUp();
    const outside = join(home.root, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(root, ".continuo"));
    await say("never use any", "project");
    expect(await inbox.accept(only().id)).toMatchObject({ done: false });
    expect(readdirSync(outside, { recursive: true })).toEqual([]);
  });

  it("is not made from a sentence with a secret", async () => {
    const { say, inbox } = setUp();
    await say(`never use \`client.login("ghp_${"a1B2".repeat(9)}")\``);
    expect(inbox.list()).toEqual([]);
  });
});

describe("a draft from a rule's text", () => {
  const TEXT = "---\nglobs: src/**/*.ts # mine\n---\nNever use `any`. Never use `console.log`.\n";

  it("is made once per text, also in a project that is not trusted, and changes nothing by itself", async () => {
    const { readRules, inbox, file, reports } = setUp({ [RULE]: TEXT });
    await readRules();
    await readRules();
    expect(inbox.list().map(({ kind, quote, rule }) => [kind, quote, rule?.path])).toEqual([
      ["check", "Never use `any`.", RULE],
      ["check", "Never use `console.log`.", RULE],
    ]);
    expect(file(RULE)).toBe(TEXT);
    expect(reports).toEqual([]);
  });

  it("is written into the rule's frontmatter, one after the other; undo restores the bytes", async () => {
    const { readRules, inbox, file } = setUp({ [RULE]: TEXT });
    await readRules();
    const [first, second] = inbox.list();
    await inbox.accept(first?.id ?? "");
    const between = file(RULE);
    expect(between).toBe(
      "---\nglobs: src/**/*.ts # mine\nchecks:\n  edits:\n    - never: '\\bany\\b'\n---\nNever use `any`. Never use `console.log`.\n",
    );
    expect(await inbox.accept(second?.id ?? "")).toMatchObject({ done: true });
    expect(file(RULE)).toContain("    - never: '\\bany\\b'\n    - never: '\\bconsole\\.log\\b'\n");
    await inbox.withdraw();
    expect(file(RULE)).toBe(between);
    await inbox.withdraw();
    expect(file(RULE)).toBe(TEXT);
    expect(inbox.list()).toHaveLength(2);
  });

  it("is not taken back if the file was changed since", async () => {
    const { readRules, inbox, file, root } = setUp({ [RULE]: TEXT });
    await readRules();
    await inbox.accept(inbox.list()[0]?.id ?? "");
    const changed = `${file(RULE)}More.\n`;
    writeFileSync(join(root, RULE), changed);
    expect(await inbox.withdraw()).toMatchObject({
      done: false,
      message: expect.stringContaining("changed since"),
    });
    expect(file(RULE)).toBe(changed);
  });

  it("is made again if the file was changed, and goes if the rule no longer says it", async () => {
    const { readRules, inbox, file, root } = setUp({ [RULE]: TEXT });
    await readRules();
    const [any, log] = inbox.list();
    writeFileSync(join(root, RULE), "Please never use `any`.\n");
    expect(await inbox.accept(any?.id ?? "")).toMatchObject({
      done: false,
      message: expect.stringContaining("review it again"),
    });
    expect(file(RULE)).toBe("Please never use `any`.\n");
    expect(inbox.list().find(({ id }) => id === any?.id)?.quote).toBe("Please never use `any`.");
    expect(await inbox.accept(log?.id ?? "")).toMatchObject({ done: false });
    expect(inbox.list().map(({ id }) => id)).toEqual([any?.id]);
    expect(await inbox.accept(any?.id ?? "")).toMatchObject({ done: true });
    expect(file(RULE)).toContain("---\n\nPlease never use `any`.\n");
  });

  it("shows the lines to paste if the frontmatter cannot be changed safely", async () => {
    const text = "---\n{ description: x }\n---\nNever use `any`.\n";
    const { readRules, inbox, only, file } = setUp({ [RULE]: text });
    await readRules();
    const { done, message } = await inbox.accept(only().id);
    expect(done).toBe(false);
    expect(message).toContain("checks:\n  edits:\n    - never: '\\bany\\b'");
    expect(file(RULE)).toBe(text);
  });

  it("is not made for a rule that has checks", async () => {
    const { readRules, inbox } = setUp({
      [RULE]: "---\nchecks:\n  edits:\n    - never: x1\n---\nNever use `any`.\n",
    });
    await readRules();
    expect(inbox.list()).toEqual([]);
  });

  it("comes a few at a time: the next when these are decided", async () => {
    const words = ["any", "console.log", "debugger", "TODO", "FIXME", "goto", "noqa", "as any"];
    const files = Object.fromEntries(
      words.map((word, i) => [`.continuo/rules/r${i}.md`, `Never use \`${word}\`.\n`]),
    );
    const { readRules, inbox } = setUp(files);
    for (let i = 0; i < 3; i++) await readRules();
    expect(inbox.list()).toHaveLength(5);
    for (const { id } of inbox.list()) await inbox.reject(id);
    await readRules();
    expect(inbox.list()).toHaveLength(3);
  });
});

describe("a question about a rule that is broken again and again", () => {
  const CHECKED = "---\nchecks:\n  edits:\n    - never: '\\bany\\b'\n---\nNever use `any`.\n";

  async function asked(files: Record<string, string>, rule: string) {
    const world = setUp(files);
    const { home, project } = world;
    const text = files[RULE] ?? CHECKED;
    const parsed = await parseRule(text, { name: "no-any.md", dialect: "continuo" });
    const check = parsed.kind === "rule" ? (parsed.rule.checks[0]?.id ?? "") : "";
    askPerson(
      home,
      { rule, name: "no-any", check, project, breaches: 4, example: "src/a.ts:12 const x: any" },
      5,
    );
    return world;
  }

  it("asks in plain words", async () => {
    const { only } = await asked({ [RULE]: CHECKED }, RULE);
    expect(only().text).toBe('Refuse what breaks "no-any" from now on?');
    expect(only().tried).toEqual([
      "The agent broke it at least 4 times in one session, even after three reminders: src/a.ts:12 const x: any",
    ]);
    expect(describeQuestion({ name: "long ".repeat(100) }).length).toBeLessThan(80);
  });

  it("yes: the check refuses from now on, in the rule's own file; undo restores it", async () => {
    const { only, inbox, file, home, project } = await asked({ [RULE]: CHECKED }, RULE);
    const untrusted = await inbox.accept(only().id);
    expect(untrusted.done).toBe(false);
    expect(untrusted.message).toContain("continuo rules trust");
    expect(file(RULE)).toBe(CHECKED);
    await setTrust(home, project.id, "shown", 1);
    expect(await inbox.accept(only().id)).toMatchObject({ done: true });
    expect(file(RULE)).toBe(CHECKED.replace("'\n---", "'\n      reaction: deny\n---"));
    await inbox.withdraw();
    expect(file(RULE)).toBe(CHECKED);
    expect(only().kind).toBe("question");
  });

  it("yes: a person who has seen the project's checks has seen them afterwards, too, and after undo", async () => {
    const { only, inbox, home, env, project, root } = await asked({ [RULE]: CHECKED }, RULE);
    const checks = async () => {
      const settings = loadSourceSettings(home.config, "rules", RULES_SETTINGS, env);
      const where = { root, home: home.root, env, settings, host: "cli", readOnly: true, now: 1 };
      return checksToTrust((await readCatalog(where)).rules);
    };
    await setTrust(home, project.id, fingerprintOf(await checks()), 1, ["npx eslint"]);
    await inbox.accept(only().id);
    expect(await checks()).toHaveLength(1);
    expect(haveChanged(readTrust(home), project.id, await checks())).toBe(false);
    expect(readTrust(home).runs[project.id]).toEqual(["npx eslint"]);
    await inbox.withdraw();
    expect(await checks()).toEqual([]);
    expect(haveChanged(readTrust(home), project.id, [])).toBe(false);
    // Whoever has not seen them is still told.
    await setTrust(home, project.id, "others", 1);
    await inbox.accept(only().id);
    expect(haveChanged(readTrust(home), project.id, await checks())).toBe(true);
  });

  it("yes, for a rule that is a link: nothing is written, and the real file is named", async () => {
    const { only, inbox, file, home, project, root } = await asked({ [RULE]: CHECKED }, RULE);
    await setTrust(home, project.id, "shown", 1);
    renameSync(join(root, RULE), join(root, "README.md"));
    symlinkSync(join(root, "README.md"), join(root, RULE));
    const { done, message } = await inbox.accept(only().id);
    expect(done).toBe(false);
    expect(message).toContain(`is a link to ${join(root, "README.md")}`);
    expect(file("README.md")).toBe(CHECKED);
  });

  it("yes, for the user's own rule, needs no trust", async () => {
    const { only, inbox, home } = await asked({}, "CONTINUO_HOME/rules/no-any.md");
    write(home.root, { "rules/no-any.md": CHECKED });
    expect(await inbox.accept(only().id)).toMatchObject({ done: true });
    expect(readFileSync(join(home.root, "rules/no-any.md"), "utf8")).toContain("reaction: deny");
  });

  it("cannot be yes for a command that runs after the agent has stopped", async () => {
    const text = "---\nchecks:\n  run: { command: npx eslint }\n---\nNo lint errors.\n";
    const { only, inbox, file } = await asked({ [RULE]: text }, RULE);
    const { done, message } = await inbox.accept(only().id);
    expect(done).toBe(false);
    expect(message).toContain("nothing can be refused");
    expect(file(RULE)).toBe(text);
    expect(inbox.list()).toHaveLength(1);
  });

  it("is gone once its check was changed", async () => {
    const { only, inbox, root } = await asked({ [RULE]: CHECKED }, RULE);
    write(root, { [RULE]: CHECKED.replace("any", "unknown") });
    expect(await inbox.accept(only().id)).toMatchObject({ done: false });
    expect(inbox.list()).toEqual([]);
  });

  it("no: goes on as before, and does not ask again", async () => {
    const { only, inbox, home, file, project } = await asked({ [RULE]: CHECKED }, RULE);
    await inbox.reject(only().id);
    askPerson(home, { rule: RULE, name: "no-any", check: "x", project, breaches: 9, example: "" }, 9);
    expect(readWaiting(home.root).questions).toEqual([]);
    expect(file(RULE)).toBe(CHECKED);
  });

  it("stop checking: the rule is muted in this project, until that is undone", async () => {
    const { only, inbox, home, project } = await asked({ [RULE]: CHECKED }, RULE);
    expect(await inbox.mute?.(only().id)).toMatchObject({ done: true });
    expect(readMutes(home).mutes).toMatchObject([
      { in: "project", project: project.id, what: `rules/${RULE}` },
    ]);
    await inbox.withdraw();
    expect(readMutes(home).mutes).toEqual([]);
  });
});
