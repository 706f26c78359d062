import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Real programs with clocks of their own on a machine that others may be using: one that fails is tried once more.
const slow = {
  testTimeout: 180_000,
  hookTimeout: 300_000,
  retry: 1,
};

// `npm test` runs `quick` and `claude-code`: everything on this runtime and one real host.
// `npm run test:e2e` runs `e2e`: all hosts and all runtimes, downloaded and pinned.
export default defineConfig({
  test: {
    // After what vitest itself says: which host has shown what, and which files took longest.
    reporters: ["default", "./test/support/contract-table.ts", "./test/support/slowest.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // As long as a browser waits for what it shows. Vitest's own second is too short for a machine that others use too.
    expect: { poll: { timeout: 20_000 } },
    // One more than cores: many tests wait for processes and clocks, and others work meanwhile.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          // A limit for what hangs: on a machine that works for others too, a test takes many times as long.
          testTimeout: 180_000,
          // Some start processes with deadlines of their own. Vitest names what passed only the second time.
          retry: process.env["CI"] ? 1 : 0,
          // A worker keeps the modules that it has loaded: a test that changes something global has to restore it.
          isolate: false,
        },
      },
      { extends: true, test: { name: "claude-code", include: ["test/e2e/claude-code.test.ts"], ...slow } },
      { extends: true, test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], ...slow } },
    ],
  },
});
