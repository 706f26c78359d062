import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { startFakeGemini } from "../fakes/gemini.ts";
import { startFakeOpenAI } from "../fakes/openai.ts";
import { startFakeResponses } from "../fakes/responses.ts";
import { claudeCodeEnv, programOf as claudeCodeProgram } from "./claude-code.ts";
import { codexConfig, codexProgram } from "./codex-program.ts";
import { copilotEnv, copilotProgram } from "./copilot.ts";
import { geminiEnv, geminiProgram, geminiSettings } from "./gemini.ts";
import { opencodeEnv, programOf as opencodeProgram } from "./opencode.ts";
import { cliOf, models, PI } from "./pi.ts";
import { makePlace, type Place } from "./place.ts";
import { write } from "./world.ts";

/** A model server of any kind: its address, and what it received. */
interface Model {
  readonly url: string;
  readonly requests: readonly { readonly body: unknown }[];
  close(): Promise<void>;
}

/** A host as a person has it: its command is in the PATH, and it asks nothing at its start. */
export interface Resumable {
  /** What people type to start it. */
  readonly command: string;
  readonly words: () => Promise<readonly string[]>;
  readonly model: (answer: string) => Promise<Model>;
  /** Writes its settings and returns the variables that it needs. */
  readonly setUp: (place: Place, url: string) => Record<string, string>;
  /** One prompt without a screen, in a new session. */
  readonly ask: (prompt: string) => readonly string[];
}

const anthropic = (answer: string) => startFakeAnthropic({ respond: () => ({ text: answer }) });
const node = (script: string) => [process.execPath, script];

export const RESUMABLE = {
  "claude-code": {
    command: "claude",
    words: () => claudeCodeProgram(),
    model: anthropic,
    setUp: ({ home, project, env }, url) => {
      const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
      const settings = {
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: ["sk-ant-dummy"], rejected: [] },
        projects: { [project]: trusted },
      };
      write(home, { ".claude.json": JSON.stringify(settings) });
      return claudeCodeEnv(home, String(env["TMPDIR"]), url);
    },
    ask: (prompt) => ["-p", prompt],
  },
  opencode: {
    command: "opencode",
    words: async () => [await opencodeProgram()],
    model: async (answer) => {
      const server = await startFakeOpenAI();
      server.respondWith(() => ({ text: answer }));
      return server;
    },
    setUp: ({ home, env }, url) => opencodeEnv(String(env["TMPDIR"]), home, url),
    ask: (prompt) => ["run", prompt],
  },
  pi: {
    command: "pi",
    words: async () => node(await cliOf(PI)),
    model: anthropic,
    setUp: ({ home }, url) => {
      write(join(home, ".pi", "agent"), {
        "models.json": JSON.stringify(models(url)),
        "settings.json": JSON.stringify({
          defaultProvider: "fake",
          defaultModel: "fake-1",
          defaultProjectTrust: "always",
        }),
      });
      return { PI_OFFLINE: "1", PI_TELEMETRY: "0" };
    },
    ask: (prompt) => ["-p", prompt],
  },
  codex: {
    command: "codex",
    words: async () => [await codexProgram()],
    model: async (answer) => {
      const server = await startFakeResponses();
      server.respondWith(() => ({ text: answer }));
      return server;
    },
    setUp: ({ home, project }, url) => {
      const trust = `[projects."${project}"]\ntrust_level = "trusted"\n`;
      write(join(home, ".codex"), { "config.toml": `${codexConfig(url)}${trust}` });
      return { FAKE_KEY: "x" };
    },
    ask: (prompt) => ["exec", "--skip-git-repo-check", prompt],
  },
  copilot: {
    command: "copilot",
    words: async () => [await copilotProgram()],
    model: anthropic,
    setUp: ({ home, project }, url) => {
      write(join(home, ".copilot"), { "config.json": JSON.stringify({ trusted_folders: [project] }) });
      return copilotEnv(url);
    },
    ask: (prompt) => ["-p", prompt, "--allow-all-tools", "-s"],
  },
  gemini: {
    command: "gemini",
    words: async () => node(await geminiProgram()),
    model: async (answer) => {
      const server = await startFakeGemini();
      server.respondWith(() => ({ text: answer }));
      return server;
    },
    setUp: ({ home }, url) => {
      write(join(home, ".gemini"), { "settings.json": geminiSettings() });
      // Otherwise it first asks a model which model to use.
      return { ...geminiEnv(url), GEMINI_MODEL: "gemini-2.5-flash" };
    },
    ask: (prompt) => ["-p", prompt],
  },
} as const satisfies Readonly<Record<string, Resumable>>;

export interface Resumed {
  readonly place: Place;
  readonly env: Record<string, string>;
  ask(prompt: string): Promise<void>;
  /** What the model received, as JSON, oldest first. */
  sent(): readonly string[];
  dispose(): Promise<void>;
}

/** The host in temporary folders, with a model that always gives the same answer. */
export async function startResumable(host: Resumable, answer: string): Promise<Resumed> {
  const words = await host.words();
  const place = await makePlace(host.command);
  // OpenCode treats all repositories without a commit as one project.
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", ["-C", place.project, ...author, "commit", "-q", "--allow-empty", "-m", "first"]);
  const model = await host.model(answer);
  const bin = join(place.home, "bin");
  const program = join(bin, host.command);
  mkdirSync(bin);
  writeFileSync(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(program, 0o755);
  const own = host.setUp(place, model.url);
  const env = { ...place.env, ...own, PATH: `${bin}:${place.env["PATH"]}` };
  return {
    place,
    env,
    ask: async (prompt) => void (await place.run([program, ...host.ask(prompt)], env)),
    sent: () => model.requests.map(({ body }) => JSON.stringify(body)),
    async dispose() {
      place.dispose();
      await model.close();
    },
  };
}
