import { createHash } from "node:crypto";

/**
 * Wishes that a user rejected. For each: the same wish in other words, and a different wish about the same topic.
 * Written before any code that compares them, and split before any tuning.
 */
export interface Wish {
  readonly id: string;
  readonly rejected: string;
  readonly reworded: string;
  /** Differs by what is wanted (polarity), with what (tool), about what (object), where (scope), or how much (number). */
  readonly different: string;
  readonly differs: "polarity" | "tool" | "object" | "scope" | "number";
}

export type Half = "development" | "test";

export function halfOf({ id }: Pick<Wish, "id">): Half {
  return (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0 ? "development" : "test";
}

const ROWS: readonly (readonly [string, string, string, Wish["differs"], string])[] = [
  // Tools
  [
    "pnpm",
    "Use pnpm instead of npm",
    "Install packages with pnpm rather than npm",
    "tool",
    "Use yarn instead of npm",
  ],
  [
    "ripgrep",
    "Always search with ripgrep, never with grep",
    "rg is what you should search with, not plain grep",
    "tool",
    "Always search with ast-grep, never with regular expressions",
  ],
  [
    "vitest",
    "We use vitest here, not jest",
    "Tests in this repo run on vitest instead of jest",
    "polarity",
    "We use jest here, not vitest",
  ],
  [
    "docker-compose",
    "Start the database with docker compose before running the tests",
    "Bring up the db through docker compose first, then test",
    "object",
    "Stop the containers with docker compose after running the tests",
  ],
  [
    "uv",
    "Never call pip directly, use uv",
    "Python packages go through uv, don't run pip",
    "tool",
    "Never call pip directly, use poetry",
  ],
  [
    "gh-cli",
    "Use the gh command line tool to open pull requests",
    "Pull requests should be created through the gh CLI",
    "object",
    "Use the gh command line tool to read the logs of failed workflows",
  ],
  [
    "make-targets",
    "Run everything through the Makefile",
    "Use make targets for every command instead of calling the tools yourself",
    "polarity",
    "Don't go through the Makefile, call the tools yourself",
  ],
  [
    "node-version",
    "Always use Node 22 for this project",
    "This project runs on Node 22, please stick to it",
    "number",
    "Always use Node 24 for this project",
  ],
  [
    "jq",
    "I prefer jq over Python scripts for looking into JSON files",
    "When you inspect JSON, do it with jq and not with a Python script",
    "object",
    "I prefer Python scripts over shell scripts for looking into CSV files",
  ],
  [
    "sed-edits",
    "Don't edit files with sed",
    "Please stop using sed to change files",
    "object",
    "Don't delete files with find",
  ],

  // Style of code
  [
    "semicolons",
    "No semicolons in TypeScript files",
    "Write TypeScript without semicolons",
    "polarity",
    "Always end statements with semicolons in TypeScript files",
  ],
  [
    "early-return",
    "Prefer early returns over nested if statements",
    "Return early rather than nesting conditions",
    "object",
    "Prefer switch over long chains of if statements",
  ],
  [
    "comments-why",
    "Comments should explain why, not what the code does",
    "In comments give the reason instead of repeating the code",
    "object",
    "Comments should be full sentences that end with a period",
  ],
  [
    "no-any",
    "Never use any in TypeScript",
    "The any type is forbidden in our TypeScript",
    "object",
    "Never use enum in TypeScript",
  ],
  [
    "line-length",
    "Keep lines under 100 characters",
    "Lines must not be longer than 100 characters",
    "number",
    "Keep lines under 80 characters",
  ],
  [
    "function-size",
    "I like small functions, at most twenty lines each",
    "Functions shouldn't have more than twenty lines, short ones are better",
    "object",
    "I like small files, at most two hundred lines each",
  ],
  [
    "named-exports",
    "Use named exports only, no default exports",
    "Don't export anything as default, export by name",
    "polarity",
    "Use a default export for every component",
  ],
  [
    "tabs",
    "Indent with tabs, not spaces",
    "For indentation use tabs rather than spaces",
    "polarity",
    "Indent with spaces, not tabs",
  ],
  [
    "functional",
    "I prefer pure functions over classes",
    "Avoid classes and write plain functions without side effects",
    "polarity",
    "I prefer classes over loose functions",
  ],
  [
    "type-hints",
    "Always add type hints to Python functions",
    "Python functions need type annotations, every one of them",
    "object",
    "Always add docstrings to Python functions",
  ],

  // Tests
  [
    "add-tests",
    "Always add tests when you change code",
    "Every code change has to come with tests",
    "polarity",
    "Never add tests unless I ask for them",
  ],
  [
    "tdd",
    "Write the failing test first, then the code",
    "Begin with a test that fails and implement afterwards",
    "object",
    "Write the type definitions first, then the code",
  ],
  [
    "no-mocks",
    "Don't mock the database in tests",
    "Tests should talk to a real database, not to a mock",
    "object",
    "Don't mock the clock in tests",
  ],
  [
    "run-related",
    "Only run the tests of the files you touched",
    "Run just the tests that belong to the changed files",
    "scope",
    "Run the whole test suite, not only the tests of the files you touched",
  ],
  [
    "no-snapshots",
    "Avoid snapshot tests",
    "I don't want any snapshot testing",
    "object",
    "Avoid end-to-end tests",
  ],
  [
    "no-skip",
    "Never skip a failing test to get a green build",
    "Do not disable tests just because they fail, even if the build stays red",
    "object",
    "Never ignore a lint error to get a green build",
  ],
  [
    "coverage",
    "Keep test coverage above 90 percent",
    "Test coverage must not drop below 90 percent",
    "number",
    "Keep test coverage above 70 percent",
  ],
  [
    "fixtures",
    "Use real fixtures instead of made-up data in tests",
    "Test data should come from real examples, not be invented",
    "object",
    "Use factories instead of shared fixtures in tests",
  ],

  // Commits, branches, releases
  [
    "push-main",
    "Never push to main",
    "Leave the main branch alone, no direct pushes",
    "scope",
    "Never push to the release branch",
  ],
  [
    "conventional",
    "Write commit messages as conventional commits",
    "Commit messages follow the conventional commits format",
    "object",
    "Write commit messages in the past tense",
  ],
  [
    "small-commits",
    "Commit small steps often",
    "Make many little commits instead of one large one",
    "polarity",
    "Commit everything once at the end",
  ],
  [
    "no-coauthor",
    "Don't add a co-author line to commits",
    "Leave the co-authored-by trailer out of commit messages",
    "object",
    "Don't add emoji to commits",
  ],
  [
    "ask-commit",
    "Ask me before you commit",
    "Don't commit without my approval",
    "polarity",
    "Commit without asking me",
  ],
  [
    "rebase",
    "Rebase feature branches instead of merging main into them",
    "Keep feature branches current by rebasing, no merge commits from main",
    "polarity",
    "Merge main into feature branches, don't rebase them",
  ],
  [
    "ticket-id",
    "Put the ticket number into every branch name",
    "Branches should be named with the id of their ticket",
    "object",
    "Put the ticket number into every pull request title",
  ],
  [
    "changelog",
    "Update the changelog with every user-visible change",
    "Whatever users will notice goes into CHANGELOG.md",
    "object",
    "Update the version number with every user-visible change",
  ],
  [
    "no-force",
    "Don't force push shared branches",
    "Never use git push --force on a branch that others work on",
    "scope",
    "You may force push your own branches",
  ],
  [
    "squash",
    "Squash commits before merging a pull request",
    "A pull request is merged as one single commit",
    "polarity",
    "Keep all commits of a pull request when merging",
  ],

  // Process
  [
    "plan-first",
    "Show me a plan before you write code",
    "First explain what you intend to do, then start coding",
    "object",
    "Show me the diff before you write files",
  ],
  [
    "no-refactor",
    "Don't refactor code that I did not ask about",
    "Leave unrelated code as it is, no cleanup on the side",
    "polarity",
    "Refactor unrelated code when you see that it is bad",
  ],
  [
    "lint-before",
    "Run the linter before every commit",
    "Each commit has to pass linting first",
    "object",
    "Run the type checker before every commit",
  ],
  [
    "ask-unsure",
    "If you are unsure, ask me instead of guessing",
    "Don't guess, put a question to me when something is unclear",
    "polarity",
    "If you are unsure, decide yourself instead of asking me",
  ],
  [
    "no-new-files",
    "Don't create new documentation files",
    "Stop writing extra markdown docs",
    "object",
    "Don't create new configuration files",
  ],
  [
    "one-thing",
    "Work on one task at a time",
    "Finish a task before you begin the next one",
    "polarity",
    "Work on several tasks in parallel with subagents",
  ],
  [
    "no-todo",
    "Never leave TODO comments in the code",
    "Code must not contain any TODOs when you are done",
    "object",
    "Never leave commented-out code behind",
  ],
  [
    "backup-migrations",
    "Make a backup before running a migration on the production database",
    "Production data is backed up first, then migrated",
    "scope",
    "Make a dry run before running a migration on the staging database",
  ],

  // Tone and answers
  [
    "short-answers",
    "Keep your answers short",
    "Be brief when you reply",
    "polarity",
    "Give me long, detailed answers",
  ],
  [
    "no-apologies",
    "Stop apologising",
    "You don't need to say sorry all the time",
    "object",
    "Stop praising me",
  ],
  ["german", "Answer in German", "Reply to me in German, please", "object", "Answer in French"],
  [
    "no-emoji",
    "No emoji in your replies",
    "Please leave out emojis when you answer me",
    "scope",
    "No emoji in log messages",
  ],
  [
    "no-summary",
    "Don't summarise what you did at the end",
    "Skip the recap after finishing a task",
    "polarity",
    "Summarise what you did at the end of every task",
  ],
  [
    "explain-simple",
    "Explain things as if I were new to Rust",
    "I am a Rust beginner, so keep explanations basic",
    "object",
    "Explain things as if I were new to Kubernetes",
  ],

  // Names, dependencies, paths
  [
    "kebab",
    "Name files in kebab-case",
    "File names are lower case with hyphens",
    "polarity",
    "Name files in PascalCase",
  ],
  [
    "no-abbrev",
    "Don't abbreviate variable names",
    "Spell variable names out in full",
    "object",
    "Don't use single-letter type parameters",
  ],
  [
    "test-names",
    "Test names should describe the behaviour",
    "Name a test after what the code under test does",
    "object",
    "Test names should begin with the name of the function",
  ],
  [
    "no-deps",
    "Don't add dependencies without asking",
    "Check with me first before you install another package",
    "object",
    "Don't remove dependencies without asking",
  ],
  [
    "std-lib",
    "Prefer the standard library over third-party packages",
    "Use what the language ships with rather than external libraries",
    "polarity",
    "Prefer well-known packages over writing it yourself",
  ],
  ["lodash", "Don't use lodash", "Write it without lodash please", "tool", "Don't use moment"],
  [
    "scripts-folder",
    "Put helper scripts into `tools/`",
    "Helper scripts belong in the `tools/` folder",
    "object",
    "Put helper scripts into `scripts/dev/`",
  ],
  [
    "generated",
    "Never edit files under `src/generated`",
    "Keep your hands off `src/generated`, those files are generated",
    "object",
    "Never edit files under `vendor/`",
  ],
];

export const WISHES: readonly Wish[] = ROWS.map(([id, rejected, reworded, differs, different]) => ({
  id,
  rejected,
  reworded,
  differs,
  different,
}));
