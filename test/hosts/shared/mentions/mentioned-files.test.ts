import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../../src/hosts/claude-code/hook.ts";
import { codex } from "../../../../src/hosts/codex/hook.ts";
import { copilot } from "../../../../src/hosts/copilot/hook.ts";
import { gemini } from "../../../../src/hosts/gemini/hook.ts";
import { promptForm as pi } from "../../../../src/hosts/pi/prompt-form.ts";
import type { PromptForm } from "../../../../src/hosts/port/prompt-form.ts";
import { promptWithFiles } from "../../../../src/hosts/shared/mentions/mentioned-files.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const FILES = { "src/a.ts": "", "src/my file.ts": "", "b.ts": "" };

function read(
  prompt: string,
  form: PromptForm | undefined = claudeCode.promptForm,
  world = temporaryWorld(FILES),
) {
  const { mentioned = [], ...typed } = promptWithFiles(prompt, form, {
    cwd: world.root,
    project: world.project,
  });
  expect(mentioned.every(({ access }) => access === "read")).toBe(true);
  return { ...typed, paths: mentioned.map(({ path }) => path) };
}

describe("files that a prompt mentions", () => {
  it("are those that exist, each once: no folder, package, decorator, handle, address or reference", () => {
    const prompt =
      'see @src/a.ts, @./src/a.ts#L1-2 and @"src/my file.ts". @src @types/node @Injectable() @@b.ts x@b.ts';
    expect(read(prompt)).toEqual({ prompt, paths: ["src/a.ts", "src/my file.ts"] });
    expect(read("nothing here")).toEqual({ prompt: "nothing here", paths: [] });
    expect(read("@\u0000 @a\u0000b @src/a.ts/x @//host/share/x @\\\\host\\x @~")).toMatchObject({
      paths: [],
    });
  });

  it("are relative to the session's folder, and have the path that a tool call's would have", () => {
    const world = temporaryWorld(FILES);
    const outside = join(dirname(world.root), "outside");
    write(outside, { "o.ts": "", "also/p.ts": "" });
    symlinkSync(join(outside, "o.ts"), join(world.root, "link.ts"));
    symlinkSync(world.root, join(outside, "back"));
    symlinkSync("nowhere", join(world.root, "dangling.ts"));
    mkdirSync(join(world.root, "folder.ts"));
    const prompt = `@a.ts @../b.ts @../link.ts @../dangling.ts @../folder.ts @${outside}/back/b.ts @${outside}/o.ts`;
    const { mentioned } = promptWithFiles(prompt, claudeCode.promptForm, {
      cwd: join(world.root, "src"),
      project: world.project,
    });
    // A path outside the project is not even looked for.
    expect(mentioned?.map(({ path }) => path)).toEqual(["src/a.ts", "b.ts", "link.ts"]);
  });

  it("are not looked for in injected blocks", () => {
    expect(read("hi <system-reminder>\n @src/a.ts\n</system-reminder> @b.ts").paths).toEqual(["b.ts"]);
  });

  it("are looked for until two hundred different paths were tried", () => {
    const tried = (count: number) => Array.from({ length: count }, (_, i) => `@none${i}`).join(" ");
    expect(read(`${tried(199)} ${tried(199)} @src/a.ts`).paths).toEqual(["src/a.ts"]);
    expect(read(`${tried(200)} @src/a.ts`).paths).toEqual([]);
    expect(read(`@src/a.ts ${tried(100_000)}`).paths).toEqual(["src/a.ts"]);
  });
});

describe("how hosts name files in prompts", () => {
  it("is the same in Claude Code and Copilot CLI; Codex has no mark for files", () => {
    for (const { promptForm } of [claudeCode, copilot])
      expect(read("x @src/a.ts", promptForm).paths).toEqual(["src/a.ts"]);
    const world = temporaryWorld(FILES);
    expect(codex.promptForm).toBeUndefined();
    expect(promptWithFiles("x @src/a.ts", undefined, { cwd: world.root, project: world.project })).toEqual({
      prompt: "x @src/a.ts",
    });
  });

  it("is known for Gemini CLI, which sends the files' content and takes backslashes out", () => {
    // As Gemini CLI 0.61.0 sent it for `x@src/a.ts @src/my\ file.ts`.
    const content =
      "\n--- Content from referenced files ---\nContent from @src/my file.ts:\n @b.ts keyword\nContent from @b.ts:\nContent from @no file:\n\nContent from @src/a.ts:\n\n--- End of content ---";
    expect(read(`x @src/a.ts @src/my file.ts${content}`, gemini.promptForm)).toEqual({
      prompt: "x @src/a.ts @src/my file.ts",
      paths: ["src/a.ts", "src/my file.ts"],
    });
    // A pattern that tries every way through such a line would not end.
    const long = "a ".repeat(500_000);
    expect(
      read(`@src/a.ts${content}\nContent from @${long}\nContent from @${long}:\n`, gemini.promptForm).paths,
    ).toEqual(["src/a.ts"]);
    expect(read("x @src/a.ts", gemini.promptForm)).toEqual({ prompt: "x @src/a.ts", paths: ["src/a.ts"] });
  });

  it("is known for pi, which puts files of its command line before the words", () => {
    const world = temporaryWorld(FILES);
    const file = (path: string, content: string) =>
      `<file name="${join(world.root, path)}">\n${content}\n</file>\n`;
    const given = `piped\n${file("src/my file.ts", " @none.ts keyword </file>\n")}${file("b.ts", "")}explain @src/a.ts`;
    expect(read(given, pi, world)).toEqual({
      prompt: "piped\nexplain @src/a.ts",
      paths: ["src/a.ts", "src/my file.ts", "b.ts"],
    });
    for (const odd of ['<file name="x">', "</file>\n", '</file>\n<file name="x">'])
      expect(read(odd, pi, world)).toEqual({ prompt: odd, paths: [] });
  });
});
