import { defineConfig } from "vitest/config";

// `npm test` runs `quick`; `npm run test:e2e` runs `hosts` and `runtimes`, which download pinned programs.
export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 300_000 },
      },
    ],
  },
});
