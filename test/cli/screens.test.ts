import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PLAIN, type Screen } from "../../src/cli/terminal/screen.ts";
import { widthOf } from "../../src/cli/terminal/width.ts";
import { clearPools } from "../../src/store/pool.ts";
import { type DemoWorld, demoWorld } from "../support/demo/world.ts";
import { HOSTILE, hostilePlace, OBEYED, SESSION } from "../support/hostile.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld } from "../support/world.ts";

type Place = Pick<DemoWorld, "env"> & { readonly root: string };

const show = async ({ env, root: cwd }: Place, argv: readonly string[], screen: Screen) =>
  (await runInProcess(argv, { env, cwd, screen })).stdout;

const on = (width: number, hasColour = false): Screen => ({
  ...PLAIN,
  width,
  height: 40,
  isTerminal: true,
  isFitted: true,
  hasColour,
});

/** Lines that are too wide although they could have been broken: what is one word, such as a path, may be wider. */
function tooWide(text: string, width: number): string[] {
  return text
    .split("\n")
    .filter((line) => widthOf(line) > width)
    .filter(
      (line) =>
        !line
          .trim()
          .split(" ")
          .some((word) => widthOf(word) > width - 30),
    );
}

const COMMANDS = [
  ["status"],
  ["why"],
  ["sets"],
  ["sets", "pin"],
  ["rules", "list"],
  ["rules", "why"],
  ["rules", "check"],
  ["rules", "report"],
  ["project"],
  ["config"],
  ["mutes"],
  ["review"],
  ["seed", "show"],
  ["seed", "status"],
  ["start"],
  ["help"],
  ["help", "sessions"],
  ["sessions", "list"],
  ["sessions", "search", "deploy"],
  ["sessions", "show", "last"],
  ["sessions", "ask", "last", "rounding"],
  ["sessions", "receipt"],
  ["search", "deploy"],
  ["recent"],
  ["list"],
  ["memory"],
  ["read", "Refunds", "--info"],
];
/** Markdown, which has no colours of its own. */
const TEXTS = [
  ["sessions", "handoff", "last"],
  ["sessions", "export", "last"],
];

describe("the screen of", () => {
  let folder = "";
  let demo: DemoWorld;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "screens-")));
    mkdirSync(join(folder, "demo"));
    demo = await demoWorld(join(folder, "demo"), Date.now());
  }, 60_000);
  afterAll(() => {
    clearPools();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it.each(COMMANDS)(
    "continuo %s %s fits 60 and 120 columns, and has a next step for people only",
    async (...argv) => {
      for (const width of [60, 120]) {
        const text = await show(demo, argv, on(width));
        expect(tooWide(text, width)).toEqual([]);
      }
      const plain = await show(demo, argv, PLAIN);
      expect(plain).not.toContain("\u001b");
      const coloured = await show(demo, argv, on(120, true));
      expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(await show(demo, argv, on(120)));
      expect(coloured).toContain("\u001b[");
    },
  );

  it.each(TEXTS)("continuo %s %s fits 60 columns", async (...argv) => {
    const text = await show(demo, argv, on(60));
    expect(tooWide(text, 60)).toEqual([]);
  });

  it("both searches name agents and print a session in the same way, with its short command", async () => {
    const [both, own] = [
      ["search", "deploy", "--sessions"],
      ["sessions", "search", "deploy"],
    ];
    for (const screen of [on(120), PLAIN]) {
      const found = await show(demo, both, screen);
      expect(found).toMatch(
        /Codex, infra, main, [^,]*; matches: deploy\n[\s\S]*continuo sessions resume 3f1bb112\n/,
      );
      const lines = (text: string) => text.split("\n").map((line) => line.trim());
      const first = lines(await show(demo, own, screen)).slice(0, 4);
      expect(lines(found).slice(2, 6)).toEqual(first);
    }
    const asked = await show(demo, ["sessions", "ask", "last", "rounding"], on(120));
    expect(asked).toMatch(/^Refunds of split payments[^\n]*\n {2}Claude Code, shop, main, [^,]*\n/);
    expect(asked).not.toContain("turn 5d0c2f7e");
    expect(await show(demo, ["sessions", "ask", "last", "rounding"], PLAIN)).toContain("turn 5d0c2f7e");
  });

  it("a found note or session keeps its indent where its lines are wrapped", async () => {
    const found = await show(demo, ["search", "undo a broken deploy"], on(60, true));
    const lines = found.replace(/\u001b\[\d+m/g, "").split("\n");
    const groups = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith("Read the first note")),
    );
    expect(groups.filter((line) => /^ ?\S/.test(line))).toEqual([
      expect.stringMatching(/^Notes \(/),
      expect.stringMatching(/^Past sessions \(/),
    ]);
    expect(groups.filter((line) => / matches:? /.test(line)).every((line) => line.startsWith("    "))).toBe(
      true,
    );
  });

  it("a terminal without Unicode gets ASCII from Continuo", async () => {
    const ascii = { ...on(60), hasUnicode: false };
    for (const argv of [["help", "sessions"], ["sessions", "list"], ["memory"]])
      expect(await show(demo, argv, ascii)).toMatch(/^[\n\x20-\x7e]+$/);
  });
});

describe("an empty home", () => {
  const place = () => {
    const { env, root } = temporaryWorld();
    return { env, root };
  };

  it.each([
    [["sessions", "list"], /There are no past sessions on this machine[\s\S]*Claude Code, OpenCode/],
    [["sessions", "search", "x"], /There are no past sessions/],
    [["sessions", "index"], /There are no past sessions/],
    [["search", "x"], /There are no notes yet[\s\S]*\n {2}continuo memory add FOLDER\n/],
    [["sync"], /There are no notes yet/],
    [["graph", "x"], /There are no notes yet/],
    [["recent"], /There are no notes yet/],
  ] as const)("continuo %j says what there is not, and what to do", async (argv, text) => {
    const shown = await show(place(), argv, on(60));
    expect(shown).toMatch(text);
    expect(shown).not.toMatch(/graph TD|Search them|Try other/);
    expect(tooWide(shown, 60)).toEqual([]);
  });
});

it.each(COMMANDS)(
  "continuo %s %s shows hostile names on a narrow screen without obeying them",
  async (...argv) => {
    const place = hostilePlace();
    const at = { env: { ...place.env, CLAUDE_CODE_SESSION_ID: SESSION }, root: place.cwd };
    const text = await show(at, argv, on(60, true));
    expect(text.replace(/\u001b\[\d{1,2}m/g, "")).not.toMatch(OBEYED);
    expect(text).not.toContain(HOSTILE.slice(0, 9));
  },
);
