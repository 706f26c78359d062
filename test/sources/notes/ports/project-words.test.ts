import { expect, it } from "vitest";
import { projectWords } from "../../../../src/sources/notes/ports/project-words.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

it("has the languages and packages of a project", () => {
  const root = temporaryFolder();
  write(root, {
    "pyproject.toml": '[project]\ndependencies = [\n  "httpx>=0.27",\n]\n[tool.poetry]\npandas = "2"\n',
    "Cargo.toml": '[dependencies]\nserde  = "1"\n',
  });
  expect([...projectWords(root)]).toEqual(
    expect.arrayContaining(["python", "httpx", "pandas", "rust", "serde"]),
  );
});

it.each(["\n".repeat(60_000), " \n".repeat(30_000), `a${" ".repeat(60_000)}`])(
  "reads a manifest of blanks in time linear in its length",
  (text) => {
    const root = temporaryFolder();
    write(root, { "pyproject.toml": text, "Cargo.toml": text });
    expect(projectWords(root).has("python")).toBe(true);
  },
);
