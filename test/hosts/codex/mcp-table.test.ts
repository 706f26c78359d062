import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codexMcp } from "../../../src/hosts/codex/installer.ts";
import type { Wiring } from "../../../src/hosts/port/installer.ts";
import { statementsOf } from "../../../src/hosts/shared/install/toml.ts";
import { WIRING } from "../../support/wiring.ts";

const wiring: Wiring = { ...WIRING, runtime: "/opt/my node/bin/node" };
const TABLE = `[mcp_servers.continuo]
command = "/opt/my node/bin/node"
args = ["/opt/continuo/dist/continuo.cjs", "mcp"]
`;
const { add, remove } = codexMcp;

const USERS = `# mine
model = "gpt-5"   # why
notice = """
[mcp_servers.continuo]
command = "in a text"
"""
when = 1979-05-27 07:32:00
list = [
  "a", # one
  'b]',
]

[mcp_servers.other] # theirs
command = "x"
env = { "A B" = "1", c.d = 2 }

[[skills]]
path = '''C:\\x'''

[projects."/home/me/a.b"]
trust_level = "trusted"
`;

describe("the MCP table in Codex's config", () => {
  it.each([
    ["a file that is not there", ""],
    ["a user's file", USERS],
    ["a file with Windows line ends", USERS.replaceAll("\n", "\r\n")],
    ["a file of comments", "# nothing\n"],
  ])("is added after everything in %s, once, and taken out again", (_, text) => {
    const added = add(text, wiring);
    expect(added.startsWith(text)).toBe(true);
    expect(added.replaceAll("\r\n", "\n").endsWith(TABLE)).toBe(true);
    expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(/[^\r]\n/.test(added)).toBe(/[^\r]\n/.test(text) || !text.includes("\r\n"));
    expect(add(added, wiring)).toBe(added);
    expect(remove(added)).toBe(text);
    expect(remove(text)).toBe(text);
  });

  it("is added to a file that does not end its last line", () => {
    expect(add('model = "x"', wiring)).toBe(`model = "x"\n\n${TABLE}`);
  });

  it("is brought up to date in its place, and what the user added to it stays", () => {
    const old = `a = 1\n\n[mcp_servers."continuo"] # ours\nenabled = false\nargs = [ # two\n "C:\\\\old\\\\continuo.cjs", 'mcp' ]\ncommand = 'C:\\node.exe' # runtime\n\n[z]\nb = 2\n`;
    expect(add(old, wiring)).toBe(
      'a = 1\n\n[mcp_servers."continuo"] # ours\nenabled = false\nargs = ["/opt/continuo/dist/continuo.cjs", "mcp"]\ncommand = "/opt/my node/bin/node" # runtime\n\n[z]\nb = 2\n',
    );
  });

  it("goes with the tables below it, which Codex would choke on alone, and leaves comments of what follows", () => {
    const text = `a = 1\n\n${TABLE}startup_timeout_sec = 3\n\n[mcp_servers.continuo.env]\nX = "1"\n\n# about z\n[z]\nb = 2\n`;
    expect(remove(text)).toBe("a = 1\n\n# about z\n[z]\nb = 2\n");
  });

  it.each([
    '[mcp_servers.continuo]\ncommand = "npx"\nargs = ["-y", "continuo", "mcp"]\n',
    '[mcp_servers.continuo]\nurl = "http://127.0.0.1"\n',
    'mcp_servers.continuo.command = "x"\n',
    '[mcp_servers]\ncontinuo = { command = "x" }\n',
  ])("is refused where it could not be told from the user's: %j", (text) => {
    expect(() => add(text, wiring)).toThrow(expect.objectContaining({ code: "settings-foreign" }));
    expect(remove(text)).toBe(text);
  });

  it.each([
    'mcp_servers = { other = { command = "x" } }\n',
    "mcp_servers = {}\n",
    '[[mcp_servers]]\nname = "x"\n',
  ])("is refused with what to do about servers in one value: %j", (text) => {
    expect(() => add(text, wiring)).toThrow(
      expect.objectContaining({
        code: "settings-foreign",
        message: expect.stringContaining("written as one value"),
        hint: expect.stringContaining("[mcp_servers.NAME], or install with --no-mcp"),
      }),
    );
    expect(remove(text)).toBe(text);
  });

  it.each(["{", "a = ", "a", 'a = "x', "a = [1", "[a", "a = 1 b = 2", '"""x', `a = ${"[".repeat(9_999)}`])(
    "is not added to what is not TOML: %.20j",
    (text) => {
      expect(() => add(text, wiring)).toThrow(expect.objectContaining({ code: "settings-invalid" }));
      expect(remove(text)).toBe(text);
      expect(() => remove(`# continuo\n${text}`)).toThrow(
        expect.objectContaining({ code: "settings-invalid" }),
      );
    },
  );

  it("names Windows paths as TOML reads them", () => {
    const windows = {
      ...wiring,
      runtime: "C:\\Program Files\\nodejs\\node.exe",
      script: "C:\\u\\continuo.cjs",
    };
    const text = add("", windows);
    expect(text).toContain('command = "C:\\\\Program Files\\\\nodejs\\\\node.exe"');
    expect(codexMcp.probes(text)).toEqual([
      { kind: "mcp", command: windows.runtime, args: [windows.script, "mcp"] },
    ]);
  });

  it("is judged by doctor", () => {
    const say = (text: string, isThere = true) =>
      codexMcp.inspect(text, wiring, () => isThere).map((one) => one.status);
    expect(say("")).toEqual([]);
    expect(say(TABLE)).toEqual([]);
    expect(say(TABLE, false)).toEqual(["fail"]);
    expect(say(TABLE.replace("/opt/continuo/", "/old/"))).toEqual(["warn"]);
  });
});

it("statements never overlap and come back in order, whatever strings hold", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
    fc.integer().map(String),
    fc.array(fc.string().map((text) => JSON.stringify(text))).map((list) => `[${list.join(" ,\n")}]`),
  );
  const key = fc.string({ minLength: 1 }).map((text) => JSON.stringify(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 6 }), (pairs) => {
      const lines = pairs.map(([name, text]) => `[${name}]\n${name} = ${text} # "x`);
      const text = lines.join("\n");
      const found = statementsOf(text);
      expect(found.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
      expect(found.filter((one) => one.kind === "pair").map((one) => one.path)).toEqual(
        pairs.map(([name]) => [JSON.parse(name), JSON.parse(name)]),
      );
    }),
    { numRuns: 200 },
  );
});
