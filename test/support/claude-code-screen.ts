import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ClaudeCode, claudeCodeEnv } from "./claude-code.ts";
import { openTerminal, type Terminal, type Where } from "./terminal.ts";

/** Claude Code as a person sees it, past the questions of a first start. */
export async function claudeCodeScreen(
  host: ClaudeCode,
  args: readonly string[] = [],
  size: Pick<Where, "size"> = {},
): Promise<Terminal> {
  answerFirstQuestions(host);
  const folder = dirname(host.home);
  const env = claudeCodeEnv(host.home, join(folder, "tmp"), host.server.url);
  return openTerminal(folder, [...host.program, ...args], { cwd: host.project, env, ...size });
}

/** Of a first start with a screen, and of one in the background. */
export function answerFirstQuestions(host: Pick<ClaudeCode, "home" | "project">): void {
  const path = join(host.home, ".claude.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  const answered = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const first = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["sk-ant-dummy"], rejected: [] },
    projects: { [host.project]: answered },
  };
  writeFileSync(path, JSON.stringify({ ...settings, ...first }));
}

/** Answers the form about this text, which opens with the decision. `choice` is the place of one in its list. */
export async function answerForm(screen: Terminal, about: string, choice: number): Promise<void> {
  await screen.until(
    new RegExp(`requests your input[\\s\\S]*(?:"|Check: )${about}[\\s\\S]*Decision: ▸ not set`),
  );
  await screen.press("Right");
  await screen.until(/◯ accept/);
  for (let i = 0; i < choice; i++) await screen.press("Down");
  await screen.press("Enter");
  await screen.until(/✔ Decision/);
  await screen.press("Down");
  await screen.until(/❯ Accept/);
  await pressUntilGone(screen, "Enter", about);
}

/** A key that comes too soon after the last one is ignored. */
export async function pressUntilGone(screen: Terminal, key: string, about: string): Promise<void> {
  const isGone = new RegExp(`^(?![\\s\\S]*requests your input[\\s\\S]*\\n  (?:"|Check: )${about})`);
  for (let tries = 0; tries < 10; tries++) {
    await screen.press(key);
    const gone = screen.until(isGone, 3_000).then(
      () => true,
      () => false,
    );
    if (await gone) return;
  }
  await screen.until(isGone);
}

/** Ends the program as a person does, so that its hooks end too. */
export async function leave(screen: Terminal): Promise<void> {
  await screen.type("/exit");
  await screen.press("Enter");
  await screen.until(/(?!)/, 20_000).catch(() => undefined); // the screen is gone when its program has ended
  await screen.close();
}
