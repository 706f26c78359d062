import { expect, it } from "vitest";
import { scopeOf } from "../../../../../src/sources/seed/learning/extraction/scope.ts";

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
])("a wish of one project is proposed for it: %s", (sentence) => {
  expect(scopeOf(sentence)).toBe("project");
});

it.each([
  "from now on use pnpm",
  "never commit without running the tests",
  "ab jetzt immer pnpm",
  "I prefer short answers",
  "always open the project in a new window",
])("a wish that names no project is for all: %s", (sentence) => {
  expect(scopeOf(sentence)).toBeUndefined();
});
