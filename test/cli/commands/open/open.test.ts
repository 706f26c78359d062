import { chmodSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { editorOf, wordsOf } from "../../../../src/cli/commands/open/open.ts";
import { CONTINUO } from "../../../support/child.ts";
import { notesWorld } from "../../../support/notes.ts";
import { hasTmux, openTerminal } from "../../../support/terminal.ts";
import { write } from "../../../support/world.ts";

describe("continuo open", () => {
  it("without a terminal prints the path of a rule, a note or the settings", async () => {
    const { run, data, root, home } = notesWorld();
    write(root, { ".continuo/rules/tests.md": "Run the tests.\n" });
    const { path } = await data("write", "x", "--title", "Why SQLite");
    expect((await run(["open", "tests"])).stdout).toBe(`${join(root, ".continuo/rules/tests.md")}\n`);
    expect((await run(["open", ".continuo/rules/tests.md"])).stdout).toContain("/tests.md\n");
    expect((await run(["open", "Why", "SQLite"])).stdout).toBe(`${String(path)}\n`);
    expect((await run(["open", "memory://why-sqlite"])).stdout).toBe(`${String(path)}\n`);
    expect((await run(["open", String(path)])).stdout).toBe(`${String(path)}\n`);
    for (const name of ["settings", "config", "config.json", home.config])
      expect((await run(["open", name])).stdout).toBe(`${home.config}\n`);
    expect(await data("open", "tests")).toMatchObject({ kind: "rule", opened: false });
  });

  it("opens the profile, which may not exist yet, and the record of a past session", async () => {
    const { run, env, home, root } = notesWorld();
    expect((await run(["open", "profile"])).stderr).toContain("continuo seed setup");
    const profile = join(env["HOME"] ?? "", ".pai/seed.json");
    write(dirname(profile), { "seed.json": "{}" });
    for (const name of ["profile", "seed"]) expect((await run(["open", name])).stdout).toBe(`${profile}\n`);
    const id = "5d0c2f7e-9a41-4b0e-8c7a-2f6f1f0e4b11";
    const prompt = { type: "user", uuid: "u1", sessionId: id, cwd: root, timestamp: "2026-01-01T10:00:00Z" };
    write(env["HOME"] ?? "", {
      [`.claude/projects/p/${id}.jsonl`]: `${JSON.stringify({ ...prompt, message: { role: "user", content: "Fix the cart" } })}\n`,
    });
    await run(["sessions", "index"]);
    const record = `sessions-meta/claude-code/${id}.meta.json`;
    write(home.root, { [record]: "{}" });
    expect((await run(["open", "5d0c2f7e"])).stdout).toBe(`${join(home.root, record)}\n`);
  });

  it("lists what can be opened if nothing is near", async () => {
    const { stderr } = await notesWorld().run(["open", "zzzzzz"]);
    for (const name of ["settings", "profile", "a rule", "a note", "the record of a past session"])
      expect(stderr).toContain(`\n    ${name}`);
  });

  it("opens what begins with the name, or has it as a word, if only one file does", async () => {
    const { run, data, root } = notesWorld();
    const rule = join(root, ".continuo/rules/keep-money-as-cents.md");
    write(root, { ".continuo/rules/keep-money-as-cents.md": "One.\n" });
    const { path } = await data("write", "x", "--title", "Cents are kept in the ledger");
    for (const name of ["keep", "keep-money", "Keep money", "keep-mon", "money"])
      expect((await run(["open", name])).stdout).toBe(`${rule}\n`);
    // The beginning counts more than a word.
    expect((await run(["open", "cents"])).stdout).toBe(`${String(path)}\n`);
    for (const name of ["ents", "oney", "rules/keep", "-"]) expect((await run(["open", name])).code).toBe(1);
    const more = Array.from({ length: 11 }, (_, i) => [`.continuo/rules/keep-${i}.md`, `Rule ${i}.\n`]);
    write(root, Object.fromEntries(more));
    const { stderr } = await run(["open", "keep"]);
    expect(stderr).toContain('"keep" can mean 12 files');
    expect(stderr).toContain("and 2 more");
  });

  it("suggests near names, and lists the files if several are meant", async () => {
    const { run, data, root, home } = notesWorld();
    write(root, { ".continuo/rules/deployment.md": "One.\n" });
    await data("write", "x", "--title", "Staging has no cron jobs");
    expect((await run(["open", "deploymnt"])).stderr).toContain("did you mean: continuo open deployment");
    expect((await run(["open", "stagin-has-no-cron-job"])).stderr).toContain(
      "continuo open staging-has-no-cron-jobs",
    );
    expect((await run(["open", "/etc/passwd"])).code).toBe(1);
    await data("write", "x", "--title", "Deployment");
    const { code, stderr } = await run(["open", "deployment"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"deployment" can mean 2 files')]);
    expect(stderr).toContain(`rule  ${join(root, ".continuo/rules/deployment.md")}\n`);
    expect(stderr).toContain(`note  ${join(home.root, "memory/deployment.md")}\n`);
  });

  it.skipIf(!hasTmux)(
    "at a terminal runs the editor with the file as one argument, and no shell",
    async () => {
      const { env, root, home } = notesWorld();
      const evil = "$(touch pwned); x'y";
      write(root, { [`.continuo/rules/${evil}.md`]: "---\nglobs: [\n---\nText.\n" });
      const folder = dirname(root);
      const editor = join(folder, "my editor");
      write(folder, { "my editor": `#!/bin/sh\nprintf '%s\\n' "$@" >> "${folder}/args"\n` });
      chmodSync(editor, 0o755);
      const shell = [
        "sh",
        "-c",
        `"${process.execPath}" "${CONTINUO}" open "$NAME"; echo ENDED; "${process.execPath}" "${CONTINUO}" open config; sleep 60`,
      ];
      const terminal = await openTerminal(folder, shell, {
        cwd: root,
        env: { ...env, EDITOR: `"${editor}" --wait 'two words'`, NAME: evil },
      });
      try {
        expect(await terminal.until(/ENDED/)).toMatch(/this rule is not used/);
        const [first, second, path] = readFileSync(join(folder, "args"), "utf8").split("\n");
        expect([first, second, path]).toEqual([
          "--wait",
          "two words",
          join(root, `.continuo/rules/${evil}.md`),
        ]);
        await terminal.until(/ENDED[\s\S]*Closed/);
        expect(readFileSync(join(folder, "args"), "utf8").split("\n")[5]).toBe(home.config);
      } finally {
        await terminal.close();
      }
      expect(existsSync(join(root, "pwned"))).toBe(false);
    },
  );

  it.skipIf(!hasTmux)("at a terminal without an editor prints the path and how to set one", async () => {
    const { env, root } = notesWorld();
    write(root, { ".continuo/rules/tests.md": "Run the tests.\n" });
    const shell = ["sh", "-c", `"${process.execPath}" "${CONTINUO}" open tests; sleep 60`];
    const terminal = await openTerminal(dirname(root), shell, {
      cwd: root,
      env: { ...env, EDITOR: "", VISUAL: "" },
    });
    try {
      expect(await terminal.until(/export EDITOR=/)).toContain("tests.md");
    } finally {
      await terminal.close();
    }
  });
});

describe("the editor of the environment", () => {
  it("is split into words as a shell does it, without running anything", () => {
    expect(wordsOf("code --wait", "linux")).toEqual(["code", "--wait"]);
    expect(wordsOf(`"/a b/ed" -n 'x y' c\\ d "q\\"r"`, "linux")).toEqual([
      "/a b/ed",
      "-n",
      "x y",
      "c d",
      'q"r',
    ]);
    expect(wordsOf("vi; rm -rf $HOME `x`", "linux")).toEqual(["vi;", "rm", "-rf", "$HOME", "`x`"]);
    expect(wordsOf('"C:\\Program Files\\ed.exe" -w C:\\x', "win32")).toEqual([
      "C:\\Program Files\\ed.exe",
      "-w",
      "C:\\x",
    ]);
  });

  it("is VISUAL before EDITOR, except on a dumb terminal; a missing program is named", () => {
    const env = { PATH: "/usr/bin:/bin", HOME: "/nowhere", VISUAL: "/bin/cat", EDITOR: "/bin/sh -x" };
    expect(editorOf(env, "/")).toMatchObject({ program: "/bin/cat", args: [] });
    expect(editorOf({ ...env, TERM: "dumb" }, "/")).toMatchObject({ program: "/bin/sh", args: ["-x"] });
    expect(editorOf({ ...env, VISUAL: " " }, "/")).toMatchObject({ program: "/bin/sh" });
    expect(editorOf({ PATH: "/bin" }, "/")).toBeUndefined();
    expect(() => editorOf({ EDITOR: "no-such-editor -w", PATH: "/bin" }, "/")).toThrow(
      "no program no-such-editor",
    );
    expect(() => editorOf({ EDITOR: "./ed", PATH: "/bin" }, "/bin")).toThrow("no program ./ed");
  });
});
