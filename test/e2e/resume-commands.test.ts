import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { orSkipReason } from "../support/packages.ts";
import { RESUMABLE, startResumable } from "../support/resumable.ts";
import { hasTmux, openTerminal, type Terminal } from "../support/terminal.ts";

const QUESTION = "MARKQUESTION";
const ANSWER = "MARKANSWER";
const NEXT = "MARKNEXT";
/** A program of 100 MB starts slowly on a shared machine. */
const PATIENCE_MS = 90_000;
/** A folder without sessions: a command that needs its folder must change to it. */
const ELSEWHERE = "/";

for (const [name, host] of Object.entries(RESUMABLE)) {
  const found = await orSkipReason(host.words());

  describe.skipIf(!Array.isArray(found) || !hasTmux)(`the resume command of ${name} (needs tmux)`, () => {
    it("as sessions search prints it, typed in another folder, continues the session", async () => {
      const { place, env, ask, sent, dispose } = await startResumable(host, ANSWER);
      onTestFinished(dispose);
      await ask(QUESTION);
      const searched = await runScript(CONTINUO, ["sessions", "search", ANSWER, "--json"], {
        env,
        cwd: ELSEWHERE,
      });
      const [hit] = JSON.parse(searched.stdout).data.results as { host: string; resume: string }[];
      expect(hit, searched.stdout + searched.stderr).toMatchObject({ host: name });
      const before = sent().length;

      const command = ["sh", "-c", String(hit?.resume)];
      const screen = await openTerminal(dirname(place.home), command, { cwd: ELSEWHERE, env });
      onTestFinished(() => screen.close());
      await screen.until(new RegExp(ANSWER), PATIENCE_MS);
      await typeInto(screen);
      const goesOn = () =>
        sent()
          .slice(before)
          .find((body) => [QUESTION, ANSWER, NEXT].every((mark) => body.includes(mark)));
      // A key may be lost as well. On an empty prompt it does nothing.
      const enter = async () => {
        if (goesOn() === undefined) await screen.press("Enter");
        return goesOn();
      };
      await expect.poll(enter, { timeout: PATIENCE_MS, interval: 3_000 }).toBeDefined();
    });
  });
}

/** A host may show a session before it accepts keys, so lost input is typed again. */
async function typeInto(screen: Terminal, tries = 5): Promise<void> {
  await screen.type(NEXT);
  await screen
    .until(new RegExp(NEXT), 5_000)
    .catch((error: unknown) => (tries > 1 ? typeInto(screen, tries - 1) : Promise.reject(error)));
}
