import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import { follow } from "../../../src/hosts/shared/follow.ts";
import { createEngine } from "../../../src/moments/engine/engine.ts";
import type { PrepareContext, Source } from "../../../src/moments/ports/source.ts";
import { folderVariables } from "../../../src/moments/project/prepared-place.ts";
import type { ExpectedStart } from "../../../src/moments/types.ts";
import { ROOT } from "../../support/child.ts";
import { engineWorld, puppet } from "../../support/engine.ts";
import { configFor } from "../../support/world.ts";

type Asked = { readonly start: ExpectedStart; readonly context: PrepareContext };

function preparing(prepare: Source["prepare"], name = "rules"): Source {
  return puppet({ name, ...(prepare === undefined ? {} : { prepare }) }).source;
}

describe("preparing the next start", () => {
  it("asks each source, for the folder in which the session began, without anything of this session", async () => {
    const asked: Asked[] = [];
    const source = preparing((start, context) => void asked.push({ start, context }));
    const { start, prepare, root, project } = engineWorld([source]);
    await start();
    await prepare({ cwd: join(root, "somewhere", "else") });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.start).toMatchObject({ project, cwd: root });
    expect(asked[0]?.context).toMatchObject({
      after: "idle",
      memo: undefined,
      workingSet: [],
      readOnly: false,
    });
  });

  it("does not ask sources that are turned off, and none after a subagent", async () => {
    const asked: string[] = [];
    const sources = ["rules", "memory"].map((name) => preparing(() => void asked.push(name), name));
    const off = { ...configFor(sources).sources, memory: { enabled: false } };
    const { prepare } = engineWorld(sources, { sources: off as never });
    await prepare({ session: { host: "claude-code", id: "c", parent: "s1" } });
    expect(asked).toEqual([]);
    await prepare();
    expect(asked).toEqual(["rules"]);
  });

  it("records a failure, goes on with the next source, and takes no lateness for one", async () => {
    const asked: string[] = [];
    const failing = preparing(() => {
      throw new Error("no disk");
    }, "rules");
    const hanging = preparing(() => new Promise<void>(() => undefined), "context");
    const last = preparing(() => void asked.push("memory"), "memory");
    const world = engineWorld([failing, last]);
    await world.prepare();
    expect(world.trouble).toMatchObject([{ where: "rules at prepare", error: { message: "no disk" } }]);
    expect(asked).toEqual(["memory"]);
    const late = engineWorld([hanging]);
    const engine = createEngine({
      sources: [hanging],
      config: configFor([hanging]),
      home: late.home,
      history: loadHistory,
      env: late.env,
      onFailure: (where, error) => void late.trouble.push({ where, error }),
    });
    const session = { host: "claude-code", id: "s1" };
    await engine.prepare({ name: "idle", session, project: late.project, cwd: late.root, at: 0 }, 50);
    expect(late.trouble).toEqual([]);
  });

  it("happens after idle and end, and at no other moment", async () => {
    const asked: string[] = [];
    const source = preparing((_, { after }) => void asked.push(after));
    const { env, project, root } = engineWorld([source]);
    const common = { session: { host: "claude-code", id: "s1" }, project, cwd: root, at: Date.now() };
    const options = { where: "test", env, now: Date.now, sources: [source], history: loadHistory };
    for (const moment of [
      { ...common, name: "start" as const },
      { ...common, name: "prompt" as const, prompt: "please fix the parser" },
      { ...common, name: "idle" as const },
      { ...common, name: "end" as const, why: "exit" },
    ])
      await follow(options, () => ({ kind: "moment", moment }));
    expect(asked).toEqual(["idle", "end"]);
  });

  it("keeps apart what was prepared with other folders of hosts", () => {
    const env = { HOME: "/home/me", CLAUDE_CONFIG_DIR: "/work", PATH: "/bin", TERM: "x" };
    expect(folderVariables(env)).toEqual(["CLAUDE_CONFIG_DIR=/work", "HOME=/home/me"]);
    // Hosts set these for hooks, and not for a server that prepares too.
    expect(folderVariables({ ...env, CLAUDE_PROJECT_DIR: "/p", CLAUDE_PLUGIN_ROOT: "/q" })).toEqual(
      folderVariables(env),
    );
  });

  it("knows every variable that says where a host keeps its sessions", () => {
    const readers = globSync("src/hosts/*/history/*.ts", { cwd: ROOT });
    expect(readers.length).toBeGreaterThan(5);
    for (const reader of readers)
      for (const [, name = ""] of readFileSync(join(ROOT, reader), "utf8").matchAll(/env\["(\w+)"\]/g))
        expect(folderVariables({ [name]: "/x" }), `${reader}: ${name}`).toEqual([`${name}=/x`]);
  });
});
