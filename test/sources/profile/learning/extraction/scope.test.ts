import { expect, it } from "vitest";
import { scopeOf } from "../../../../../src/sources/profile/learning/extraction/scope.ts";

it.each([
  "from now on use pnpm in this repo, not npm",
  "no, use tabs not spaces in this project",
  "In our codebase we never use default exports",
  "ab jetzt in diesem Repo immer pnpm",
  "dans ce projet on utilise toujours pnpm",
  "en este proyecto usa siempre pnpm",
  "neste projeto use sempre pnpm",
  "这个项目以后都用 pnpm",
  "このリポジトリでは今後 pnpm を使って",
  "We use vitest here, not jest",
  "our convention is that tests live next to the code",
  "Wir verwenden hier grundsätzlich Zod",
  "The staging database is read only",
  "Use errors.Is instead of comparing errors",
  "Never use console.log in src.",
  "on utilise toujours pnpm chez nous",
  "我们都用 pnpm",
  "Recuerda que no desplegamos los viernes",
  "os commits fazemos em inglês",
])("a wish of one project is proposed for it: %s", (sentence) => {
  expect(scopeOf(sentence)).toBe("project");
});

it.each([
  "from now on use pnpm",
  "never commit without running the tests",
  "ab jetzt immer pnpm",
  "I prefer short answers",
  "always open the project in a new window",
  "from here on use pnpm",
  "the first word of a commit message must be a verb",
  "never use and/or in a sentence",
])("a wish that names no project is for all: %s", (sentence) => {
  expect(scopeOf(sentence)).toBeUndefined();
});

it("a fact that is to be remembered belongs to the project, one about the person does not", () => {
  expect(scopeOf("Staging has no cron jobs", "remember")).toBe("project");
  expect(scopeOf("I work on Windows and my editor is Zed", "remember")).toBeUndefined();
  expect(scopeOf("Die Staging-Datenbank ist nur lesbar", "remember")).toBe("project");
  expect(scopeOf("La base de staging est en lecture seule", "remember")).toBe("project");
  expect(scopeOf("Mein Editor ist Zed", "remember")).toBeUndefined();
  expect(scopeOf("我的编辑器是 Zed", "remember")).toBeUndefined();
});
