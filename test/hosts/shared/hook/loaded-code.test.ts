import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { writeSession } from "../../../sources/sessions/written.ts";
import { builtBundles } from "../../../support/built-bundles.ts";
import { loadingHook } from "../../../support/loaded.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

/** Texts of Hono, of valibot and of the page's routes, which a build keeps as they are. */
const OF_PAGE = /Context is not finalized|Invalid \$\{|\/api\/sessions/;
/** Modules of Node that take milliseconds to load. */
const COSTLY = /^NativeModule (?:child_process|net|http|dgram|worker_threads|tls)$/m;

test("no moment loads code of the page, or Node's modules for programs and connections", async () => {
  const world = temporaryWorld({ ".continuo/rules/a.md": "Grease the gears weekly." });
  write(world.home.root, { "memory/gears.md": "# Gears\n\nThe gears are in the attic.\n" });
  writeSession(String(world.env["HOME"]), world.root, { id: "past", said: ["Where?", "In the attic."] });
  const hook = loadingHook(world);
  const bundles = builtBundles();
  const file = { tool_name: "Read", tool_input: { file_path: join(world.root, "gears.ts") } };
  for (const [event, more] of [
    ["SessionStart", {}],
    ["UserPromptSubmit", { prompt: "Where are the gears kept in the attic?" }],
    ["PreToolUse", file],
    ["PostToolUse", file],
    ["Stop", {}],
    ["SessionEnd", {}],
  ] as const) {
    const { loaded } = await hook(event, "one", more);
    const files = loaded.split("\n").filter((name) => name.endsWith(".cjs"));
    expect(files.join(" "), event).toMatch(/\bcore-\w+\.cjs/);
    expect(
      files.filter((name) => OF_PAGE.test(bundles.get(basename(name)) ?? "")),
      event,
    ).toEqual([]);
    expect(loaded, event).not.toMatch(COSTLY);
  }
  const [server = ""] = [...bundles.keys()].filter((name) => name.startsWith("web-server-serve-"));
  expect(bundles.get(server)).toMatch(OF_PAGE);
});
