import { describe, expect, it } from "vitest";
import { HOST_NAMES } from "../../../src/base/host-names.ts";
import { loadAllCommands, loadCommand } from "../../../src/cli/commands/index.ts";
import { candidatesFor } from "../../../src/cli/completion/candidates.ts";

const complete = async (...words: string[]) =>
  (await candidatesFor(words, { loadCommand, loadAllCommands, tools: ["SearchMemories", "Sync"] })).map(
    ([word]) => word,
  );

describe("completion", () => {
  it.each<[string[], string[]]>([
    [["sea"], ["search"]],
    [["--v"], ["--version"]],
    [
      ["rules", "tr"],
      ["try", "trust"],
    ],
    [
      ["rules", "trust", "--"],
      ["--project", "--yes", "--json", "--help"],
    ],
    [["rules", "trust", "--yes", "--y"], []],
    [["rules", "--proj"], ["--project"]],
    [["rules", "list", "--path", "a.ts", "--pa"], ["--path"]],
    [
      ["search", "x", "--mode", ""],
      ["Hybrid", "FullText", "Semantic"],
    ],
    [["search", "x", "--mode", "=", "F"], ["FullText"]],
    [
      ["search", "x", "--mode", "="],
      ["Hybrid", "FullText", "Semantic"],
    ],
    [["search", "--mode=S"], ["--mode=Semantic"]],
    [["search", "--", "--mo"], []],
    [["edit", "My note", "rep"], ["replace_section"]],
    [["edit", "--find", "x", "My note", "app"], ["append"]],
    [["install", "cod"], ["codex"]],
    [
      ["seed", "proposals", ""],
      ["list", "clean"],
    ],
    [
      ["seed", "learn", ""],
      ["pattern", "insight", "self_knowledge"],
    ],
    [["seed", "setup", "--style", "con"], ["concise"]],
    // In seed --project is a switch, so the next word is no value of it.
    [["seed", "learn", "--project", "pat"], ["pattern"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish", "powershell"],
    ],
    [["help", "rul"], ["rules"]],
    [["help", "rules", "li"], ["list"]],
    [["help", "--m"], ["--man"]],
    [["--tool", "Sea"], ["SearchMemories"]],
    [["--tool", "Sync", "--pay"], ["--payload"]],
    [["note", "--file", ""], []],
    [["nonsense", ""], []],
    [["sessions", "show", "--host", ""], [...HOST_NAMES]],
  ])("of %j is %j", async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it("offers every command with its meaning, and none that is hidden", async () => {
    const found = await candidatesFor([""], { loadCommand, loadAllCommands, tools: [] });
    const shown = (await loadAllCommands()).filter(({ section }) => section !== undefined);
    expect(found).toEqual(shown.map(({ name, summary }) => [name, summary]));
  });
});
