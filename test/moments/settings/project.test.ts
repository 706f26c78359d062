import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Command } from "../../../src/cli/command.ts";
import { loadCommand } from "../../../src/cli/commands/index.ts";
import { rememberProjects } from "../../../src/moments/project/project-registry.ts";
import { homeAt } from "../../../src/store/home.ts";
import { inputIn } from "../../support/in-process.ts";
import { temporaryFolder, write } from "../../support/world.ts";

const projectCommand = (await loadCommand("project")) as Command;

function machine() {
  const user = temporaryFolder();
  const home = homeAt(join(user, ".continuo"));
  const root = join(user, "shop");
  write(root, {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/x": "",
    ".git/config": '[remote "origin"]\n\turl = https://sam:secret@github.com/acme/store.git\n',
  });
  const act = (values: Record<string, boolean>, positionals: readonly string[]) =>
    projectCommand.run({
      ...inputIn({ env: { HOME: user, CONTINUO_HOME: home.root }, root }),
      values,
      positionals,
    });
  const run = (...positionals: string[]) => act({}, positionals);
  const reset = () => act({ yes: true }, ["reset"]);
  const config = () => JSON.parse(readFileSync(home.config, "utf8")).projects;
  return { home, root, run, reset, config };
}

it("shows name, remote and the clones that share, and no password", async () => {
  const { run, home } = machine();
  await rememberProjects(home, [
    { id: "/gone/.git", root: "/gone", remote: "github.com/acme/store" },
    { id: "/other/.git", root: "/other", remote: "github.com/acme/other" },
  ]);
  const { text, data } = await run();
  expect(text).toMatch(/Project +store\n/);
  expect(text).toMatch(/Remote +github\.com\/acme\/store\n/);
  expect(text).toContain("Shares notes and sessions with /gone (no longer there)");
  expect(text).not.toContain("/other");
  expect(text + JSON.stringify(data)).not.toContain("secret");
});

it("renames, adds aliases, separates and resets in config.json, keeping the rest of it", async () => {
  const { run, reset, config, home } = machine();
  write(home.root, { "config.json": '{\n  "tokenLimit": 3000\n}\n' });
  expect((await run("name", "bookshop")).text).toMatch(/Project +bookshop/);
  await run("alias", "storefront", "../old");
  await run("separate");
  const text = readFileSync(home.config, "utf8");
  expect(text).toContain('  "tokenLimit": 3000,');
  expect(text).toContain('"separate": true');
  expect(text).toContain('"~/old"');
  expect((await run()).text).toContain("To share again: continuo project share");
  await run("share");
  expect(config()).toEqual({ "~/shop": { projectName: "bookshop", aliases: ["storefront", "~/old"] } });
  await expect(async () => run("reset")).rejects.toMatchObject({
    code: "not-confirmed",
    hint: "confirm with --yes",
  });
  expect(config()).not.toEqual({});
  const { text: done } = await reset();
  expect(done).toContain("To undo: continuo project name -- bookshop");
  expect(done).toContain("To undo: continuo project alias -- storefront '~/old'");
  expect(config()).toEqual({});
});

it("says what is missing", () => {
  const { run } = machine();
  expect(() => run("name")).toThrow("NAME is missing");
  expect(() => run("alias")).toThrow("ALIAS is missing");
  expect(() => run("nam")).toThrow('unknown subcommand "project nam"');
});
