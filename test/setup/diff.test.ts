import { describe, expect, it } from "vitest";
import { aboutHidden, showDiff } from "../../src/setup/diff.ts";

describe("the diff of an edit", () => {
  it("shows an added and a removed line whole, also in a file of one line", async () => {
    const before = `{"model":"opus","env":{"TOKEN":"hunter2-hunter2"},"list":[${"1,".repeat(300)}1]}`;
    const after = before.replace(/\}$/, ',"hooks":{"SessionStart":[{"command":"run","timeout":10}]}}');
    const diff = await showDiff({ file: "settings.json", before, after });
    expect(diff).toContain('"timeout":10}]}}');
    expect(diff).toContain(`${"1,".repeat(300)}1]}\n`);
    expect(diff).not.toContain("hunter2");
    expect(aboutHidden(diff)).toContain("stay as they are");
  });

  it("does not say that a hidden value stays if it goes away with Continuo's entry", async () => {
    const entry = '{\n  "continuo": { "command": "node", "cwd": "SECRET" }\n}\n';
    const diff = await showDiff({ file: "a.json", before: entry, after: "{\n}\n" });
    expect(diff).not.toContain("SECRET");
    expect(aboutHidden(diff)).toMatch(/passwords\.$/);
  });

  it("says nothing of hidden values where none is hidden", async () => {
    const diff = await showDiff({ file: "a.json", before: undefined, after: '{\n  "a": "b"\n}\n' });
    expect(aboutHidden(diff)).toBeUndefined();
  });

  it("says how much of a very long line it does not show", async () => {
    const diff = await showDiff({ file: "a.json", before: "", after: "1".repeat(50_000) });
    expect(diff.length).toBeLessThan(21_000);
    expect(diff).toMatch(/… \(30001 more characters of this line are not shown\)/);
  });

  it("cuts a long line that only surrounds the edit", async () => {
    const long = "1".repeat(1000);
    const diff = await showDiff({ file: "a", before: `${long}\n`, after: `${long}\nnew\n` });
    expect(diff).toContain("+new");
    expect(diff).not.toContain("1".repeat(400));
  });

  it.each([
    ["a string", '"model": "SECRET"'],
    ["an environment", '"env": { "TOKEN": "SECRET" }'],
    ["a header", '"headers": { "Authorization": "Bearer SECRET" }'],
    ["an argument", '"args": ["--api-key", "SECRET", "--key=SECRET"]'],
    ["an address", '"url": "https://me:SECRET@example.com/mcp"'],
    ["a long number", '"pin": 987654321'],
    ["a comment at the end of a line", '"model": 1 // SECRET "quoted" SECRET'],
    ["a comment that looks like a setting", '// "token": "SECRET"\n  "model": 1'],
    ["a comment of several lines", '/* one\n  "token": SECRET\n */ "model": 1'],
  ])("hides %s of the user's in JSON with comments, and shows its own entry", async (_, line) => {
    const before = `{\n  ${line}\n}\n`;
    const after = `{\n  ${line}\n  ,"mcpServers": {\n    "continuo": { "command": "node" }\n  }\n}\n`;
    const diff = await showDiff({ file: "settings.json", before, after });
    expect(diff).not.toMatch(/SECRET|987654321/);
    expect(diff).toContain('"continuo": { "command": "node" }');
    expect(aboutHidden(diff)).toBeDefined();
  });

  it.each([
    ["a string of several lines", 'text = """\napi_key = SECRET\n"quoted" SECRET\n"""'],
    ["a literal string of several lines", "text = '''\ntoken = SECRET\n# SECRET\n'''"],
    ["a string", "key = 'SECRET'"],
    ["an inline table", 'env = { TOKEN = "SECRET", "B C" = "SECRET" }'],
    ["a list with a comment", 'args = [\n  "--token", # SECRET\n  "SECRET",\n]'],
    ["a comment", 'a = 1 # SECRET = "SECRET"'],
    ["a long number", "pin = 987654321"],
  ])("hides %s of the user's in TOML, and shows its own table", async (_, lines) => {
    const before = `# SECRET\n[mcp_servers.other]\n${lines}\n`;
    const after = `${before}\n[mcp_servers.continuo]\ncommand = "node"\n`;
    const diff = await showDiff({ file: "config.toml", before, after });
    expect(diff).not.toMatch(/SECRET|987654321/);
    expect(diff).toContain('+[mcp_servers.continuo]\n+command = "node"');
    const last = before.split("\n").length - 1;
    expect(diff).toContain(`@@ -${last - 2},3 +${last - 2},6 @@`);
  });

  it("hides what the user put into the environment of Continuo's own entry, also if the entry is removed", async () => {
    const before =
      '{\n  "mcpServers": {\n    "continuo": { "command": "node", "env": { "KEY": "SECRET" } }\n  }\n}\n';
    const diff = await showDiff({ file: "a.json", before, after: "{\n}\n" });
    expect(diff).toContain('"command": "node"');
    expect(diff).not.toContain("SECRET");
  });

  it.each([
    ["a folder", '"cwd": "SECRET"'],
    ["a field of its own", '"apiKey": "SECRET"'],
    ["an object", '"options": { "headers_of": ["SECRET"], "pin": 987654321 }'],
    ["a matcher", '"matcher": "SECRET"'],
  ])("hides %s that the user put into Continuo's own entry, if the entry is removed", async (_, field) => {
    const entry = `{ "type": "stdio", "command": "/bin/node", "args": ["/x/continuo.cjs", "mcp"], ${field} }`;
    const before = `{\n  "mcpServers": {\n    "continuo": ${entry}\n  }\n}\n`;
    const diff = await showDiff({ file: "a.json", before, after: "{\n}\n" });
    expect(diff).toContain('"command": "/bin/node", "args": ["/x/continuo.cjs", "mcp"]');
    expect(diff).not.toMatch(/SECRET|987654321/);
  });

  it("hides a removed command with variables of the user's, and shows other removed commands", async () => {
    const hook = (command: string) => `{ "type": "command", "command": "${command}", "timeout": 10 }`;
    const [own, users] = [
      "node /x/continuo.cjs hook codex Stop",
      "TOKEN=SECRET node /x/continuo.cjs hook codex Stop",
    ];
    const before = `{\n  "hooks": { "Stop": [{ "hooks": [${hook(own)}, ${hook(users)}] }] }\n}\n`;
    const diff = await showDiff({ file: "a.json", before, after: "{}\n" });
    expect(diff).toContain(own);
    expect(diff).not.toContain("SECRET");
    const toml =
      '[mcp_servers.continuo]\ncommand = "node"\nargs = ["/x/continuo.cjs", "mcp"]\ncwd = "SECRET"\n';
    const shown = await showDiff({ file: "config.toml", before: toml, after: "" });
    expect(shown).toContain('args = ["/x/continuo.cjs", "mcp"]');
    expect(shown).not.toContain("SECRET");
  });

  it("shows its own values although another entry has the same", async () => {
    const before = '{\n  "mcpServers": {\n    "other": { "command": "/bin/node", "args": ["mcp"] }\n  }\n}\n';
    const own = '"continuo": { "command": "/bin/node", "args": ["mcp"] }';
    const after = before.replace('["mcp"] }', `["mcp"] },\n    ${own}`);
    const diff = await showDiff({ file: "a.json", before, after });
    expect(diff).toContain(`+    ${own}`);
    expect(diff.split("/bin/node")).toHaveLength(2);
  });

  it("is made of files that are not settings, or damaged, too", async () => {
    const diff = await showDiff({ file: "a.json", before: '{ "a": [ } "b" : : "c', after: '{ "a": 1 }' });
    expect(diff).toContain('+{ "a": 1 }');
  });
});
