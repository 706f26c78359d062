import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { notesWorld } from "../../support/notes.ts";

it("bash completes commands, options, their values and the tools", async () => {
  const script = (await notesWorld().run(["completion", "bash"])).stdout;
  const complete = (...words: string[]) =>
    execFileSync(
      "bash",
      [
        "-c",
        `${script}\nCOMP_WORDS=(continuo "$@"); COMP_CWORD=$#; _continuo; echo "\${COMPREPLY[*]}"`,
        "bash",
        ...words,
      ],
      {
        encoding: "utf8",
      },
    ).trim();
  expect(complete("sea")).toBe("search");
  expect(complete("search", "--mi")).toBe("--min-score");
  expect(complete("search", "x", "--mode", "")).toBe("Hybrid FullText Semantic");
  expect(complete("edit", "x", "rep")).toBe("replace_section");
  expect(complete("memory", "exp")).toBe("export");
  expect(complete("--tool", "Sea")).toBe("SearchMemories");
  expect(complete("--tool", "Sync", "--pay")).toBe("--payload");
});
