import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unique } from "../../../base/fingerprint.ts";
import { collapse } from "../../../base/text.ts";
import type { Finding, Probe } from "../../../hosts/port/installer.ts";
import { readHealth } from "../../../store/health.ts";
import { homeAt } from "../../../store/home.ts";
import { type Errand, type Ran, runBounded } from "./bounded-child.ts";

const LIMIT_MS = 15_000;

/** Runs one piece of the wiring as its host does, in a home and a project that are thrown away afterwards. */
export async function prove(probe: Probe, env: NodeJS.ProcessEnv, limitMs = LIMIT_MS): Promise<Finding> {
  const place = makePlace(env);
  try {
    const { what, errand, bare, isProof } = trial(probe, place);
    const attempt = async (how: Trial["errand"]) => {
      const ran = await runBounded({ cwd: place.project, env: place.env, ...how }, limitMs);
      return { ran, works: !ran.late && ran.code === 0 && isProof(ran.stdout) };
    };
    const asWired = await attempt(errand);
    if (asWired.works) return { status: "ok", detail: `${what} works (${asWired.ran.ms} ms)`, mend: "" };
    const alone = bare === undefined || asWired.ran.late ? undefined : await attempt(bare);
    const why = alone?.works === true ? "does not work in the host's shell, but does without it" : undefined;
    return {
      status: "fail",
      detail: `${what} ${why ?? whatHappened((alone ?? asWired).ran, place)}`,
      mend: mendFor(probe),
    };
  } finally {
    rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly since: string;
  /** In a rule of the project, so that a hook which works has to print it. */
  readonly word: string;
}

interface Trial {
  readonly what: string;
  readonly errand: Pick<Errand, "file" | "args" | "shell" | "input" | "until">;
  /** The same without the guard that hides why it fails. */
  readonly bare?: Trial["errand"];
  isProof(stdout: string): boolean;
}

function trial(probe: Probe, { project, word }: Place): Trial {
  switch (probe.kind) {
    case "hook": {
      const input = JSON.stringify(probe.payload(project));
      const { runtime, script, args } = probe.launch;
      const bare = { file: runtime, args: [script, ...args], input };
      const errand =
        probe.shell === false ? bare : { file: probe.command, args: [], shell: probe.shell, input };
      return { what: "its hook", errand, bare, isProof: (stdout) => stdout.includes(word) };
    }
    case "mcp": {
      const { command: file, args } = probe;
      const errand = { file, args, input: `${JSON.stringify(INITIALIZE)}\n`, until: /\n/ };
      return { what: "its MCP server", errand, isProof: (stdout) => /"serverInfo"/.test(stdout) };
    }
    case "module": {
      const errand = { file: process.execPath, args: importing(probe.path, probe.exports), input: "" };
      return { what: "the file that it loads", errand, isProof: () => true };
    }
  }
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "continuo-doctor", version: "1" },
  },
};

function importing(path: string, exports: string): string[] {
  const script = `
    const { pathToFileURL } = await import("node:url");
    const { default: it } = await import(pathToFileURL(process.argv[1]).href);
    if (${exports}) process.exit(0);
    console.error("its default export is not what the host calls");
    process.exit(1);`;
  return ["--input-type=module", "-e", script, path];
}

function makePlace(env: NodeJS.ProcessEnv): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "continuo-doctor-")));
  const [home, project, temporary] = [join(root, "home"), join(root, "project"), join(root, "tmp")];
  const rules = join(project, ".continuo", "rules");
  for (const folder of [home, rules, temporary]) mkdirSync(folder, { recursive: true });
  const word = `proof-${unique()}`;
  writeFileSync(join(rules, "doctor.md"), `The wiring works: ${word}.\n`);
  // What a session that doctor may run inside of, or the user, has set is about other places.
  const kept = Object.entries(env).filter(
    ([name]) => !/^((CONTINUO|CLAUDE|CODEX|COPILOT|GEMINI|OPENCODE|XDG)_|INIT_CWD$|CLAUDECODE$)/.test(name),
  );
  const own = { HOME: home, USERPROFILE: home, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  return {
    root,
    home: join(home, ".continuo"),
    project,
    env: { ...Object.fromEntries(kept), ...own, CONTINUO_HOME: join(home, ".continuo") },
    since: new Date().toISOString(),
    word,
  };
}

function whatHappened({ code, stdout, stderr, ms, late }: Ran, { home, since }: Place): string {
  // The log of failures without a home is shared with everything else on the machine.
  const last = readHealth(homeAt(home).logs).records.findLast(({ at }) => at >= since);
  const said = collapse(stderr.trim() || stdout).slice(0, 300);
  const saying = said === "" ? "" : `: ${said}`;
  if (late) return `did not end within ${ms} ms${saying}`;
  if (code === null) return `could not be started${saying}`;
  if (code !== 0) return `ended with code ${code} after ${ms} ms${saying}`;
  // Our hooks end with 0 whatever happens, and leave the reason in the health log.
  if (last !== undefined) return `answered nothing after ${ms} ms (${last.code}: ${last.message})`;
  return `did not answer as it should after ${ms} ms${saying}`;
}

function mendFor(probe: Probe): string {
  return `install again; if that does not help, run yourself what the settings say: ${whatRuns(probe)}`;
}

/** A hook without its guard, which would say nothing. */
function whatRuns(probe: Probe): string {
  if (probe.kind === "module") return probe.path;
  if (probe.kind === "mcp") return probe.command;
  return [probe.launch.runtime, probe.launch.script, ...probe.launch.args].join(" ");
}
