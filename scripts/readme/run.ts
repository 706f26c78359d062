// Runs commands of Continuo on the demonstration's machine, at a fixed time, so that the same code prints the same text.
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";
import { PLAIN } from "../../src/cli/terminal/screen.ts";
import { registries } from "../../src/entries/registries.ts";
import { ROOT } from "../../test/support/child.ts";
import { type DemoWorld, demoWorld } from "../../test/support/demo/world.ts";
import { write } from "../../test/support/world.ts";

const NOW = Date.UTC(2026, 10, 16, 17, 30);
/** What a README shows without scrolling. */
export const WIDTH = 100;

export interface Shown {
  readonly world: DemoWorld;
  /** What the command prints, with the home as ~. Fails if the command does. */
  run(args: readonly string[], stdin?: string): Promise<string>;
}

export async function onDemoMachine<T>(show: (shown: Shown) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "readme-")));
  const before = { env: { ...process.env }, cwd: process.cwd() };
  try {
    const world = await demoWorld(folder, NOW);
    const env = { ...world.env, TZ: "UTC", NO_COLOR: "1", CONTINUO_NO_PAGER: "1" };
    // A busy machine must not change what is shown.
    write(world.env["CONTINUO_HOME"] ?? "", { "config.json": '{ "momentDeadlineMs": 15000 }\n' });
    replaceEnv(env);
    process.chdir(world.root);
    return await show({
      world,
      run: (args, stdin = "") => run(args, { folder, env, cwd: world.root, stdin }),
    });
  } finally {
    process.chdir(before.cwd);
    replaceEnv(before.env);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin: string;
}

async function run(args: readonly string[], { folder, env, cwd, stdin }: Place): Promise<string> {
  writeFileSync(join(folder, "stdin"), stdin);
  const descriptor = openSync(join(folder, "stdin"), "r");
  let [out, err] = ["", ""];
  try {
    const world = { env, cwd, now: () => NOW, packageRoot: ROOT, stdin: descriptor, ...registries };
    const code = await main(args, world, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      screen: () => ({ ...PLAIN, width: WIDTH, isTerminal: true, isFitted: true }),
    });
    if (code !== 0) throw new Error(`continuo ${args.join(" ")} ended with ${code}: ${err}`);
    return out.replaceAll(env["HOME"] ?? "", "~").trimEnd();
  } finally {
    closeSync(descriptor);
  }
}

/** One by one, because the system reads the variables and not the object. */
function replaceEnv(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
}
