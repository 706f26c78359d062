import { randomUUID } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startFakeAnthropic } from "../../test/fakes/anthropic.ts";
import { classify } from "../../test/fakes/anthropic-requests.ts";
import { startFakeGemini } from "../../test/fakes/gemini.ts";
import { startFakeResponses } from "../../test/fakes/responses.ts";
import { claudeCodeEnv, DEFAULT_MODEL, programOf } from "../../test/support/claude-code.ts";
import { codexConfig, codexProgram } from "../../test/support/codex-program.ts";
import { copilotEnv, copilotProgram } from "../../test/support/copilot.ts";
import { geminiEnv, geminiProgram, geminiSettings } from "../../test/support/gemini.ts";

/** One user's folders. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly temporary: string;
}

/** The model reads one file per call and then answers: which file is next. */
export type NextFile = () => string | undefined;

/** A program that answers one prompt and ends, in a place of its own with a fake model. */
export interface OneShot {
  readonly env: Record<string, string>;
  /** The files in which an installation names the runtime. */
  readonly wired: readonly string[];
  command(prompt: string): string[];
  requests(): number;
  close(): Promise<void>;
}

export const HOSTS: Readonly<Record<string, (place: Place, next: NextFile) => Promise<OneShot>>> = {
  codex: async ({ home, project, temporary }, next) => {
    const program = await codexProgram();
    const server = await startFakeResponses();
    server.respondWith(() => {
      const file = next();
      if (file === undefined) return { text: "done" };
      return { call: { name: "exec_command", arguments: { cmd: `cat ${join(project, file)}` } } };
    });
    const config = join(home, ".codex", "config.toml");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, codexConfig(server.url));
    return {
      env: { ...usualEnv(home, temporary), FAKE_KEY: "x" },
      wired: [config, join(home, ".codex", "hooks.json")],
      command: (prompt) => [
        program,
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-hook-trust",
        prompt,
      ],
      requests: () => server.requests.length,
      close: () => server.close(),
    };
  },
  copilot: async ({ home, project, temporary }, next) => {
    const program = await copilotProgram();
    const server = await startFakeAnthropic({
      respond: () => {
        const file = next();
        if (file === undefined) return { text: "done" };
        return { toolUses: [{ name: "view", input: { path: join(project, file) } }] };
      },
    });
    return {
      env: { ...usualEnv(home, temporary), ...copilotEnv(server.url) },
      wired: [join(home, ".copilot", "hooks", "continuo.json"), join(home, ".copilot", "mcp-config.json")],
      command: (prompt) => [program, "-p", prompt, "--allow-all-tools", "-s"],
      requests: () => server.requests.length,
      close: () => server.close(),
    };
  },
  gemini: async ({ home, project, temporary }, next) => {
    const program = await geminiProgram();
    const server = await startFakeGemini();
    server.respondWith(() => {
      const file = next();
      if (file === undefined) return { text: "done" };
      return { call: { name: "read_file", args: { file_path: join(project, file) } } };
    });
    const settings = join(home, ".gemini", "settings.json");
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, geminiSettings());
    return {
      env: { ...usualEnv(home, temporary), ...geminiEnv(server.url) },
      wired: [settings],
      command: (prompt) => {
        const flags = ["-m", "gemini-2.5-flash", "--approval-mode", "yolo"];
        return [process.execPath, program, "-p", prompt, ...flags, "--session-id", randomUUID()];
      },
      requests: () => server.requests.length,
      close: () => server.close(),
    };
  },
  "claude-code": async ({ home, project, temporary }, next) => {
    const [program = ""] = await programOf();
    const server = await startFakeAnthropic();
    server.respondWith((request) => {
      const file = classify(request) === "main" ? next() : undefined;
      if (file === undefined) return { text: "done" };
      return { toolUses: [{ name: "Read", input: { file_path: join(project, file) } }] };
    });
    mkdirSync(join(home, ".claude"), { recursive: true });
    // On the PATH, as users have it: the installer asks for its version.
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(program, join(bin, "claude"));
    const env = claudeCodeEnv(home, temporary, server.url);
    return {
      env: { ...env, PATH: `${bin}:${env["PATH"]}` },
      // Not the server: its shell and its marks depend on which process started it.
      wired: [join(home, ".claude", "settings.json")],
      command: (prompt) => {
        const flags = ["--model", DEFAULT_MODEL, "--permission-mode", "bypassPermissions"];
        return [program, "-p", prompt, ...flags];
      },
      requests: () => server.requests.length,
      close: () => server.close(),
    };
  },
};

function usualEnv(home: string, temporary: string): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
  };
}
