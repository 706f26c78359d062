import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandWord } from "../../../src/base/for-terminal.ts";
import { runInProcess } from "../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

const EVIL = "run-tests$(touch PWNED)`touch PWNED`";

/** Runs every command that a text suggests, with a `continuo` that does nothing, as somebody does who pastes it. */
function pasted(text: string): { readonly commands: readonly string[]; readonly isHarmed: boolean } {
  const folder = temporaryFolder();
  const commands = [...text.matchAll(/continuo (?:open|rules|mute|sessions)\b.*/g)].map(
    ([command]) => command,
  );
  for (const command of commands)
    try {
      execFileSync("sh", ["-c", `continuo() { :; }; ${command}`], { cwd: folder, stdio: "ignore" });
    } catch {
      // not a whole command line
    }
  return { commands, isHarmed: existsSync(join(folder, "PWNED")) };
}

describe.skipIf(process.platform === "win32")("a command that is suggested", () => {
  it.each([
    ["open", "run-testz"],
    ["rules", "remove", EVIL],
    ["rules", "remove", "foreign$(touch PWNED)"],
    ["rules", "add", "The same text."],
  ])("by continuo %s %s runs nothing of a rule's name", async (...args) => {
    const { root, env } = temporaryWorld();
    write(root, { [`.continuo/rules/${EVIL}.md`]: "The same text.\n" });
    write(root, { [`.cursor/rules/foreign$(touch PWNED).mdc`]: "Another.\n" });
    const { stdout, stderr } = await runInProcess(args, { env, cwd: root });
    const { commands, isHarmed } = pasted(`${stdout}\n${stderr}`);
    expect(commands.join("\n")).not.toBe("");
    expect(isHarmed).toBe(false);
  });

  it("has a stranger's word as one argument on one line, whatever is in it", () => {
    for (const word of [EVIL, "a b", "it's", '"$x"', "a\nb", "$(id)", "-rf", ""]) {
      const printed = execFileSync("sh", ["-c", `printf '%s|' ${commandWord(word)}`], { encoding: "utf8" });
      expect(printed.split("|")).toHaveLength(2);
      expect(commandWord(word)).not.toContain("\n");
    }
  });
});
